// npm run corpus -- <folder> : publishes every PDF of a folder, and reports the results and the state of the server.

import { runCommand } from './command-line/run-command.ts'
import { corpusReport, failuresOf } from './corpus/corpus-report.ts'
import { publishCorpus } from './corpus/publish-corpus.ts'
import { readArguments, USAGE } from './corpus/read-arguments.ts'
import { PublishError } from './publish/exchange.ts'

await runCommand({
  usage: USAGE,
  readArguments,
  expected: PublishError,
  async run(options, signal) {
    const run = await publishCorpus(options, process.stderr, signal)
    process.stdout.write(`${corpusReport(run)}\n`)
    return failuresOf(run).length === 0
  },
})
