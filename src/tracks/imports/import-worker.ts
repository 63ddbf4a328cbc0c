import { type ImportTask, readImportedFile } from './import-task.ts'

/** Reads one file in a worker thread. The pool calls it. */
export async function readFile(task: ImportTask) {
  return await readImportedFile(task)
}
