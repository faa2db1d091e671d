const encoder = new TextEncoder();

/**
 * Write bytes as hex digits.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Read hex digits as bytes.
 * @param {string} hex
 * @returns {Uint8Array<ArrayBuffer>}
 */
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * A fresh nonce of 64 hex digits.
 * @returns {string}
 */
export function nonce() {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * HMAC-SHA256 of a text, as hex digits. Pages on plain http have no `crypto.subtle`: there it is computed here.
 * @param {string} key  Hex digits.
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function hmac(key, text) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return hmacByHand(key, text);
  const secret = await subtle.importKey("raw", fromHex(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toHex(new Uint8Array(await subtle.sign("HMAC", secret, encoder.encode(text))));
}

/**
 * HMAC-SHA256 (RFC 2104) without the browser's help; keys of at most 64 bytes.
 * @param {string} key  Hex digits.
 * @param {string} text
 * @returns {string}
 */
function hmacByHand(key, text) {
  const block = new Uint8Array(64);
  block.set(fromHex(key));
  const inner = sha256(join(block.map((byte) => byte ^ 0x36), encoder.encode(text)));
  return toHex(sha256(join(block.map((byte) => byte ^ 0x5c), inner)));
}

/**
 * Put two runs of bytes one after the other.
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 * @returns {Uint8Array}
 */
function join(one, other) {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

/**
 * SHA-256 (FIPS 180-4).
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const hash = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const words = new Uint32Array(64);
  for (let start = 0; start < padded.length; start += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(start + i * 4);
    for (let i = 16; i < 64; i++) {
      const low = words[i - 15];
      const high = words[i - 2];
      const s0 = turn(low, 7) ^ turn(low, 18) ^ (low >>> 3);
      const s1 = turn(high, 17) ^ turn(high, 19) ^ (high >>> 10);
      words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] += value));
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((value, i) => out.setUint32(i * 4, value));
  return new Uint8Array(out.buffer);
}

const PRIMES = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));
const ROUNDS = Uint32Array.from(PRIMES.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));

/**
 * The first 32 bits of a number's fraction.
 * @param {number} value
 * @returns {number}
 */
function fraction(value) {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}

/**
 * Rotate a word to the right.
 * @param {number} word
 * @param {number} by
 * @returns {number}
 */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}
