// npm run import -- <files or folders> : imports recordings into an event of a running server.

import { runCommand } from './command-line/run-command.ts'
import { ImportError, importFiles } from './import/import-files.ts'
import { readArguments, USAGE } from './import/read-arguments.ts'

await runCommand({
  usage: USAGE,
  readArguments,
  expected: ImportError,
  async run(options, signal) {
    const { failed } = await importFiles(options, (line) => process.stdout.write(`${line}\n`), signal)
    return failed === 0 && !signal.aborted
  },
})
