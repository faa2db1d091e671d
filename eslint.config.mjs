import js from "@eslint/js";
import jsdoc from "eslint-plugin-jsdoc";
import globals from "globals";

/** What a page of Foundry gives every module, as far as ours uses it. */
const foundryGlobals = Object.fromEntries(
  [
    "$",
    "Actor",
    "ActiveEffect",
    "CONFIG",
    "CONST",
    "ChatMessage",
    "Combat",
    "Combatant",
    "Handlebars",
    "Hooks",
    "Item",
    "Roll",
    "Scene",
    "User",
    "canvas",
    "dnd5e",
    "foundry",
    "fromUuid",
    "fromUuidSync",
    "game",
    "ui",
  ].map((name) => [name, "readonly"]),
);

export default [
  { ignores: ["node_modules/", ".venv/", "dist/", "htmlcov/", "test-results/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  jsdoc.configs["flat/recommended-typescript-flavor-error"],
  {
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "What the bridge says is text: use textContent." },
        { property: "outerHTML", message: "What the bridge says is text: use textContent." },
        { property: "insertAdjacentHTML", message: "What the bridge says is text: use textContent." },
      ],
      "no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "no-var": "error",
      "prefer-const": "error",
      "jsdoc/require-jsdoc": [
        "error",
        {
          checkConstructors: false,
          checkGetters: false,
          checkSetters: false,
          require: { ClassDeclaration: true, FunctionDeclaration: true, MethodDefinition: true },
        },
      ],
      // The one line of a function says what it gives back; its types say the rest.
      "jsdoc/require-param-description": "off",
      "jsdoc/require-property-description": "off",
      "jsdoc/require-returns": "off",
      "jsdoc/require-returns-description": "off",
      // Types come from Foundry's own declarations: tsc checks their names.
      "jsdoc/no-undefined-types": "off",
      "jsdoc/reject-any-type": "off",
      "jsdoc/reject-function-type": "off",
      "jsdoc/tag-lines": ["error", "any", { startLines: null }],
    },
  },
  {
    files: ["foundry-module/scripts/**/*.mjs"],
    languageOptions: { globals: { ...globals.browser, ...foundryGlobals } },
  },
  {
    // The stand-in takes Foundry's shape: its methods and their arguments are Foundry's, documented there.
    files: ["tests/browser/foundry/client/**/*.mjs"],
    languageOptions: { globals: { ...globals.browser, ...foundryGlobals, standin: "readonly" } },
    rules: {
      "no-restricted-properties": "off",
      "no-unused-vars": ["error", { args: "none", caughtErrors: "none", ignoreRestSiblings: true }],
      "jsdoc/require-jsdoc": ["error", { require: { ClassDeclaration: true, FunctionDeclaration: true } }],
      "jsdoc/require-param": "off",
      "jsdoc/require-yields": "off",
    },
  },
  {
    // Scripts of the tests: they run in a page of the stand-in, or in Node under the system's own code.
    files: ["tests/browser/player/*.js", "tests/browser/under_dnd5e/*.mjs"],
    languageOptions: { globals: { ...globals.browser, ...globals.node, ...foundryGlobals, standin: "readonly" } },
    rules: {
      "no-unused-vars": ["error", { args: "none", caughtErrors: "none", varsIgnorePattern: "^_" }],
      "jsdoc/require-jsdoc": "off",
      "jsdoc/require-param": "off",
      "jsdoc/require-param-type": "off",
      "jsdoc/require-returns-type": "off",
    },
  },
  { files: ["eslint.config.mjs"], languageOptions: { globals: globals.node } },
];
