// npm run publish -- <file.pdf>… : publishes PDFs on a running server and prints their public addresses.

import { runCommand } from './command-line/run-command.ts'
import { PublishError } from './publish/exchange.ts'
import { publishAll } from './publish/publish-pdf.ts'
import { readArguments, USAGE } from './publish/read-arguments.ts'

await runCommand({
  usage: USAGE,
  readArguments,
  expected: PublishError,
  run: (options, signal) => publishAll(options, { output: process.stdout, progress: process.stderr }, signal),
})
