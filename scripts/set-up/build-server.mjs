import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { projectPath } from './project-path.mjs'
import { say } from './say.mjs'
import { SetUpError } from './set-up-error.mjs'

/** The check is part of the server. As built, it runs on a Node.js that knows no TypeScript. */
const CHECK = projectPath('dist', 'server', 'platform', 'basics', 'build.js')

/**
 * Returns whether the server has to be built. A build tells whether its sources, its check among them, are the current
 * ones.
 */
export async function serverIsToBeBuilt() {
  if (!existsSync(projectPath('scripts', 'build-server.ts'))) return false
  if (!existsSync(CHECK)) return true
  const { isBuiltFromSources } = await import(pathToFileURL(CHECK).href)
  return !isBuiltFromSources(projectPath(), projectPath('dist', 'server'))
}

/** Builds the server as plain JavaScript, when its sources have changed since. */
export async function buildServer() {
  if (!(await serverIsToBeBuilt())) return
  say('building the server')
  const { status } = spawnSync('node', ['--no-warnings', projectPath('scripts', 'build-server.ts')], {
    cwd: projectPath(),
    stdio: ['ignore', 2, 2],
    // This is what finds node.cmd.
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new SetUpError('building the server failed; see the message above')
}
