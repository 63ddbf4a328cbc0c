import { spawnSync } from 'node:child_process'
import { projectPath } from './project-path.mjs'
import { SetUpError } from './set-up-error.mjs'

/**
 * Runs npm in the project, with its output on standard error.
 * @param {string[]} args
 */
export function runNpm(args) {
  const { status } = spawnSync('npm', [...args, '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: projectPath(),
    stdio: ['ignore', 2, 2],
    // This is what finds npm.cmd.
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new SetUpError(`npm ${args[0]} failed; see its message above`)
}
