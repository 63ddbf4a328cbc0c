import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import {
  type OpenCommand,
  toPlainError,
  transferables,
  type WriterCommand,
  type WriterGreeting,
  type WriterReply,
} from './sqlite-messages.ts'
import { applyWriterPragmas } from './sqlite-reader.ts'
import { SqliteWriteQueue } from './sqlite-write-queue.ts'

// The thread that owns the writing connections, so that an fsync blocks only writers. An unexpected error ends the
// thread; its owners reject pending commands and start another one.

/** Time after which a busy file lets the others write, some groups of commits. */
const TURN_MS = 20

/** The files with commands that have not run. */
const waiting = new Set<() => void>()

assert(parentPort !== null, 'sqlite-writer.ts runs as a worker thread')
parentPort.on('message', ({ file, port }: OpenCommand) => {
  try {
    serve(port, openDatabase(file))
  } catch (error) {
    port.postMessage({ failed: toPlainError(error) } satisfies WriterGreeting)
    port.close()
  }
})

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  applyWriterPragmas(database)
  if (!removeStatistics(database)) return database
  // A connection keeps the statistics that it was opened with.
  database.close()
  return openDatabase(file)
}

function serve(port: MessagePort, database: DatabaseSync): void {
  const queue = new SqliteWriteQueue(database, (replies: WriterReply[]) =>
    port.postMessage(replies, transferables(replies)),
  )
  let isClosing = false

  function accept(commands: WriterCommand[]): void {
    for (const command of commands) {
      if (command[1] === 'close') isClosing = true
      else queue.accept(command)
    }
  }

  function takeTurn(): void {
    const endsMs = performance.now() + TURN_MS
    queue.advance(() => {
      // Remaining commands come as a message, after the turns of the other files.
      if (performance.now() >= endsMs) return
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
        accept(next.message)
      }
    })
    if (isClosing) close(database, port)
  }

  port.on('message', (commands: WriterCommand[]) => {
    accept(commands)
    // Not at once: a port delivers all that has arrived before another port has its turn.
    if (waiting.size === 0) setImmediate(takeTurns)
    waiting.add(takeTurn)
  })
  port.postMessage({ ready: true } satisfies WriterGreeting)
}

function takeTurns(): void {
  const turns = [...waiting]
  waiting.clear()
  for (const takeTurn of turns) takeTurn()
}

/** Writes the log back and removes it, so that one file remains. Called when no transaction is open. */
function close(database: DatabaseSync, port: MessagePort): void {
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  port.close()
}

/**
 * Removes the counts of ANALYZE, so that SQLite plans every query by its indices alone. Statistics are as old as the
 * last ANALYZE, and a connection never sees newer ones than at its opening. In a new installation, they tell SQLite
 * that every table has one row. SQLite then reads tables from end to end: a list of 10,000 publications took 128 ms of
 * the main thread for each 250 of them in place of 4 ms. Compared for all statements of the program, plans without
 * statistics equal plans with statistics of large tables.
 * @returns true if there were any
 */
function removeStatistics(database: DatabaseSync): boolean {
  if (database.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get() === undefined) return false
  database.exec('drop table if exists sqlite_stat1')
  return true
}
