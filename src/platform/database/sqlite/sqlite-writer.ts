import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { toPlainError, type WriterCommand, type WriterGreeting, type WriterReply } from './sqlite-messages.ts'
import { applyWriterPragmas } from './sqlite-pragmas.ts'
import { transferables } from './sqlite-transfer.ts'
import { SqliteWriteQueue } from './sqlite-write-queue.ts'

// The thread that owns the writing connection, so that an fsync blocks only writers. An unexpected error ends the thread;
// its owner rejects pending commands and starts another one.

assert(parentPort !== null, 'sqlite-writer.ts runs as a worker thread')
const port = parentPort

try {
  serve(openDatabase((workerData as { file: string }).file))
} catch (error) {
  port.postMessage({ failed: toPlainError(error) } satisfies WriterGreeting)
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  applyWriterPragmas(database)
  return database
}

function serve(database: DatabaseSync): void {
  const queue = new SqliteWriteQueue(database, send)
  let isClosing = false

  function accept(commands: WriterCommand[]): void {
    for (const command of commands) {
      if (command[1] === 'close') isClosing = true
      else queue.accept(command)
    }
  }

  function acceptArrived(): void {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      accept(next.message)
    }
  }

  port.on('message', (commands: WriterCommand[]) => {
    accept(commands)
    acceptArrived()
    queue.advance(acceptArrived)
    if (isClosing) close(database)
  })
  port.postMessage({ ready: true } satisfies WriterGreeting)
}

function send(replies: WriterReply[]): void {
  port.postMessage(replies, transferables(replies))
}

/** Writes the log back and removes it, so that one file remains. Called when no transaction is open. */
function close(database: DatabaseSync): void {
  database.exec('pragma optimize; pragma wal_checkpoint(truncate)')
  database.close()
  port.close()
}
