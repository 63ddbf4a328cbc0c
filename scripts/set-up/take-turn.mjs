import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from './project-path.mjs'

/**
 * Lets one set-up work at a time: two commands started at once in a fresh clone would install over each other. The lock
 * is a folder, which only one can make, and it is taken over when the process that made it is gone.
 * @returns {() => void} passes the turn on
 */
export function takeTurn() {
  const lock = projectPath('.set-up-lock')
  for (;;) {
    try {
      mkdirSync(lock)
      writeFileSync(join(lock, 'pid'), String(process.pid))
      return () => rmSync(lock, { recursive: true, force: true })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    if (!holderLives(join(lock, 'pid'))) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

/** @param {string} pidFile */
function holderLives(pidFile) {
  try {
    const age = Date.now() - statSync(join(pidFile, '..')).mtimeMs
    if (!existsSync(pidFile)) return age < 2000
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}
