import type { DatabaseSync } from 'node:sqlite'

/** Time that the writer waits for another process that writes the same file, such as an admin command. */
const WRITER_BUSY_TIMEOUT_MS = 10_000

/**
 * Time that a reader waits for a lock. It meets one only while the log is recovered or removed, which takes
 * milliseconds. Short, because it waits on the calling thread.
 */
const READER_BUSY_TIMEOUT_MS = 1_000

/**
 * Pages in the log, 4 MiB of them, after which it is written back into the file: SQLite's own default. Four times as
 * many are a few per cent faster where the same pages change often, and leave a log larger than many a database.
 */
const WRITE_BACK_PAGES = 1_000

/** Size to which the log is truncated after a burst. Otherwise SQLite reuses it from its start. */
const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024

// The file is not mapped into memory: a read error of the disk would then end the process instead of one query.

/** Page caches, in KiB. Blobs pass through them, so they hold a few thousand rows' worth of index and little else. */
const WRITER_CACHE_KIB = 16_384
const READER_CACHE_KIB = 32_768

/**
 * Settings of the one connection that writes. FULL makes a commit wait for its fsync, in WAL mode too.
 * `auto_vacuum` acts on a new file only and has to come before WAL, which writes the first page. `secure_delete`
 * overwrites deleted text with zeros. It costs the writer of small batches no measurable time, which is spent on
 * syncing. The value `fast` would leave text in free pages until they are released.
 */
export function applyWriterPragmas(database: DatabaseSync): void {
  database.exec(`
    pragma busy_timeout = ${WRITER_BUSY_TIMEOUT_MS};
    pragma auto_vacuum = incremental;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma secure_delete = on;
    pragma journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES};
    pragma wal_autocheckpoint = ${WRITE_BACK_PAGES};
    pragma cache_size = ${-WRITER_CACHE_KIB};
    pragma temp_store = memory;
  `)
}

/** Settings of a connection that only reads. */
export function applyReaderPragmas(database: DatabaseSync): void {
  database.exec(`
    pragma busy_timeout = ${READER_BUSY_TIMEOUT_MS};
    pragma query_only = on;
    pragma cache_size = ${-READER_CACHE_KIB};
    pragma temp_store = memory;
  `)
}
