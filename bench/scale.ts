import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureCache } from './parts/cached-frames.ts'
import { measureDelay, POINTS_PER_SEC } from './parts/frames-delay.ts'
import { postgresEngine, sqliteEngine } from './program/engine.ts'
import { describeMachine } from './program/machine.ts'
import { ROOT, startCommand } from './program/start-program.ts'
import { reportTable } from './report/report-table.ts'
import { modelOf, type Unit } from './report/scale-model.ts'

// npm run scale: one spectator of an event of 5,000 and of 20,000 phones, and what the figures mean for 100,000.

const USAGE = `npm run scale [-- OPTIONS]: phones of an event, with one spectator and without, each phone with its own connection.

  --engine NAME   sqlite or postgresql
  --phones COUNT  may be repeated; otherwise 5000 and 20000
  --points COUNT  points that all of them send in a second; otherwise 500
  --turns COUNT   how often both are measured, for half a minute each; otherwise 6 times
  --cached COUNT  in place of all that: so many spectators behind nginx, such as 100000, who each read a frame once

Processor time is that of the server, without the phones. Each phone is an open file of this process and of the server: beyond the limit
(ulimit -n), phones connect for each point.
`

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean' },
    engine: { type: 'string' },
    phones: { type: 'string', multiple: true, default: ['5000', '20000'] },
    points: { type: 'string', default: String(POINTS_PER_SEC) },
    turns: { type: 'string', default: '6' },
    cached: { type: 'string' },
  },
})

if (options.help) process.stdout.write(USAGE)
else await measureAll()

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'scale-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.stdout.write(`${describeMachine(folder).join('\n')}\n`)
  for (const [name, open] of [['sqlite', sqliteEngine] as const, ['postgresql', postgresEngine] as const]) {
    if (options.engine !== undefined && !name.startsWith(options.engine)) continue
    const engine = await open(folder, startCommand(ROOT))
    if (options.cached !== undefined) {
      const figures = await measureCache(engine, Number(options.cached))
      process.stdout.write(`\nSpectators behind nginx, ${engine.name}\n${reportTable(figures)}`)
      await engine.close()
      continue
    }
    let unit: Unit | undefined
    for (const phones of options.phones.map(Number)) {
      const perSec = Number(options.points)
      const figures = await measureDelay(engine, { size: phones, turns: Number(options.turns), perSec })
      process.stdout.write(`\n${phones} phones and one spectator, ${engine.name}\n${reportTable(figures)}`)
      const measured = (what: string) => figures.find((figure) => figure.what === what)!.value
      const pointUs = measured('processor time of a point, nobody watching')
      const movedUs = Math.max(0, measured('of that, watched') - 1) * pointUs
      unit = { pointUs, movedUs, movedBytes: measured('a frame with gzip, for each that moved') }
    }
    if (unit !== undefined) process.stdout.write(`\nA model for 100,000 of each, ${engine.name}\n${modelOf(unit)}`)
    await engine.close()
  }
}
