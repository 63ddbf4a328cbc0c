// npm run publish -- <file.pdf> : publishes a PDF on a running server and prints its public address.

import { runCommand } from './command-line/run-command.ts'
import { PublishError } from './publish/exchange.ts'
import { publishPdf } from './publish/publish-pdf.ts'
import { readArguments, USAGE } from './publish/read-arguments.ts'

await runCommand({
  usage: USAGE,
  readArguments,
  expected: PublishError,
  async run(options, signal) {
    await publishPdf(options, { output: process.stdout, progress: process.stderr }, signal)
    return true
  },
})
