-- The first schema. A migration is never edited once it has shipped.
--
-- Nothing here is trusted for being here: every row is either sealed, or covered by a keyed digest
-- that ends in the MAC of the state row (see index_group, index_page, namespace, record). Times are
-- Unix seconds.

-- Which vault this is. key_check is a MAC of the master key over the other columns.
CREATE TABLE vault (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  vault_id BLOB NOT NULL CHECK (length(vault_id) = 16),
  instance_id BLOB NOT NULL CHECK (length(instance_id) = 16),
  format INTEGER NOT NULL,
  created INTEGER NOT NULL,
  key_check BLOB NOT NULL CHECK (length(key_check) = 32)
) STRICT;

-- A way to the master key: header, nonce, box and checksum in one canonical record.
CREATE TABLE slot (
  slot INTEGER PRIMARY KEY CHECK (slot BETWEEN 1 AND 2147483647),
  body BLOB NOT NULL CHECK (length(body) BETWEEN 64 AND 4096)
) STRICT;

-- Who may do what, sealed.
CREATE TABLE policy (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  nonce BLOB NOT NULL CHECK (length(nonce) = 24),
  box BLOB NOT NULL CHECK (length(box) BETWEEN 16 AND 1048576)
) STRICT;

-- Where everything ends: one row, replaced by each commit, with a MAC over all of it.
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  index_version INTEGER NOT NULL CHECK (index_version >= 1), -- commits that changed the index
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  chain_head BLOB NOT NULL CHECK (length(chain_head) = 32),
  clock_floor INTEGER NOT NULL,
  index_root BLOB NOT NULL CHECK (length(index_root) = 1024), -- 32 digests of index_group rows
  slot_set BLOB NOT NULL CHECK (length(slot_set) <= 2304),    -- per slot: number (4), digest (32)
  next_slot INTEGER NOT NULL CHECK (next_slot >= 1),
  policy_revision INTEGER NOT NULL,
  policy_digest BLOB NOT NULL CHECK (length(policy_digest) = 32),
  erasure_pending INTEGER NOT NULL,
  mac BLOB NOT NULL CHECK (length(mac) = 32)
) STRICT;

-- 32 rows of 32 page digests each.
CREATE TABLE index_group (
  number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 31),
  digests BLOB NOT NULL CHECK (length(digests) = 1024)
) STRICT;

-- 1,024 rows for 64 buckets each: a map of the buckets in use, then their digests.
CREATE TABLE index_page (
  page INTEGER PRIMARY KEY CHECK (page BETWEEN 0 AND 1023),
  used INTEGER NOT NULL,
  digests BLOB NOT NULL CHECK (length(digests) <= 2048 AND length(digests) % 32 = 0)
) STRICT;

-- Every name that was ever used, tombstones included.
CREATE TABLE namespace (
  bucket INTEGER NOT NULL CHECK (bucket BETWEEN 0 AND 65535),
  name TEXT NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  generation INTEGER NOT NULL CHECK (generation >= 1),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 3),      -- 1 active, 2 suspended, 3 tombstone
  presentation_version INTEGER NOT NULL CHECK (presentation_version >= 0), -- last key version given
  signing_version INTEGER NOT NULL CHECK (signing_version >= 0),
  issuer_version INTEGER NOT NULL CHECK (issuer_version >= 0),
  reader_ca_version INTEGER NOT NULL CHECK (reader_ca_version >= 0),
  delete_after INTEGER NOT NULL CHECK (delete_after >= 0),   -- pending deletion, 0 for none
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  record_set BLOB NOT NULL CHECK (length(record_set) = 32),  -- digest over the record headers
  key_nonce BLOB CHECK (length(key_nonce) = 24),             -- the wrapped data key: NULL in a
  key_box BLOB CHECK (length(key_box) = 48),                 -- tombstone and nowhere else
  PRIMARY KEY (bucket, name),
  CHECK ((state = 3) = (key_nonce IS NULL) AND (key_nonce IS NULL) = (key_box IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX namespace_name ON namespace (name);
CREATE UNIQUE INDEX namespace_id ON namespace (id);
CREATE INDEX namespace_delete_after ON namespace (delete_after) WHERE delete_after > 0;

-- Sealed records. The box comes last, so that reading the headers touches no overflow page.
CREATE TABLE record (
  namespace_id BLOB NOT NULL REFERENCES namespace (id),
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 255),
  record_id TEXT NOT NULL,
  revision INTEGER NOT NULL CHECK (revision >= 1),
  nonce BLOB NOT NULL CHECK (length(nonce) = 24),
  box BLOB NOT NULL CHECK (length(box) BETWEEN 16 AND 1048576),
  PRIMARY KEY (namespace_id, kind, record_id)
) STRICT, WITHOUT ROWID;

-- The audit lines of committed batches that are not yet known to be in a segment. mac is NULL when
-- the batch was written while sealed.
CREATE TABLE audit_outbox (
  batch INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL CHECK (last_seq >= first_seq),
  lines BLOB NOT NULL,
  mac BLOB CHECK (length(mac) = 32)
) STRICT;
