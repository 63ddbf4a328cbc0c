// npm run publish -- <file.pdf>… : publishes PDFs on a running server and prints their public addresses.

import { runCommand } from './command-line/run-command.ts'
import { PublishError } from './publish/exchange.ts'
import { publishPdf } from './publish/publish-pdf.ts'
import { readArguments, USAGE } from './publish/read-arguments.ts'

await runCommand({
  usage: USAGE,
  readArguments,
  expected: PublishError,
  async run(options, signal) {
    for (const one of options) await publishPdf(one, { output: process.stdout, progress: process.stderr }, signal)
    return true
  },
})
