import { writeFileSync } from 'node:fs'
import { projectPath } from './project-path.mjs'

/**
 * Gives Windows an `exec`. `npm start` runs by way of a shell, which would keep signals from the
 * server. `exec` puts the server in the shell's place; the shell of Windows has no such word, and gets
 * one that just runs the rest of the line.
 */
export function provideExec() {
  if (process.platform === 'win32') writeFileSync(projectPath('node_modules', '.bin', 'exec.cmd'), '@%*\r\n')
}
