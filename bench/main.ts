import { parseArgs } from 'node:util'
import { compareFiles } from './report/compare-files.ts'
import { runBench, USAGE } from './run-bench.ts'

// npm run bench: measures the real program over the loopback interface. `--help` prints the options.

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    compare: { type: 'boolean' },
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    engine: { type: 'string' },
    pdf: { type: 'string', multiple: true },
    root: { type: 'string' },
    json: { type: 'string' },
  },
})

if (options.help) process.stdout.write(USAGE)
else if (options.compare) process.stdout.write(compareFiles(positionals))
else await runBench(options)
