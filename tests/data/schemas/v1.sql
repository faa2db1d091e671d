-- A database as the first released schema made it.  Never changed: every later bridge must open it.
BEGIN TRANSACTION;
CREATE TABLE clients (
        id TEXT PRIMARY KEY,
        world TEXT NOT NULL,
        origin TEXT NOT NULL,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        world_name TEXT NOT NULL,
        created INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        revoked INTEGER NOT NULL
    ) STRICT;
INSERT INTO "clients" VALUES('c1','w','http://localhost:30000','gm','Gamemaster','Saltmarsh',1,2,0);
INSERT INTO "clients" VALUES('c2','w','http://localhost:30000','gm2','Other','Saltmarsh',1,2,3);
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
INSERT INTO "meta" VALUES('rulebook:w',X'5B73657474696E67735D0A');
CREATE TABLE rows (
        number INTEGER PRIMARY KEY,
        world INTEGER NOT NULL REFERENCES worlds ON DELETE CASCADE,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        UNIQUE (world, kind, key)
    ) STRICT;
INSERT INTO "rows" VALUES(1,1,'journal','',X'226A22');
INSERT INTO "rows" VALUES(2,1,'basics','',X'7B226C617374223A377D');
INSERT INTO "rows" VALUES(3,2,'seen','h1',X'74727565');
CREATE TABLE worlds (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO "worlds" VALUES(1,'w');
INSERT INTO "worlds" VALUES(2,'v');
COMMIT;
PRAGMA user_version = 1;
