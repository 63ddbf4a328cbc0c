import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Owner } from '../databases.ts'

/** Time for the program to notice that work is done before its meter is read. */
const SETTLED_MS = 20

/**
 * Prepares a measurement of how long attacks hold the main thread of the program. `settings` are for `startTarget`.
 * `longestMs` returns the longest time for which the thread computed in one piece during an attack.
 */
export function holdMeter(owner: Owner) {
  const folder = mkdtempSync(join(tmpdir(), 'hold-'))
  const file = join(folder, 'longest')
  owner.after(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { HOLD_FILE: file, NODE_OPTIONS: `--import=${new URL('hold-meter.ts', import.meta.url).href}` }

  async function read(pid: number): Promise<number> {
    await wait(SETTLED_MS)
    process.kill(pid, 'SIGUSR2')
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await wait(1)
    const longestMs = Number(readFileSync(file, 'utf8'))
    rmSync(file)
    return longestMs
  }

  async function longestMs(pid: number, attack: () => Promise<unknown>): Promise<number> {
    await read(pid)
    await attack()
    return await read(pid)
  }

  return { settings, longestMs }
}
