import { spawnSync } from 'node:child_process'
import { webCanBeBuilt, webIsBuilt, webWasBuilt } from '../web-sources.mjs'
import { projectPath } from './project-path.mjs'
import { say } from './say.mjs'
import { SetUpError } from './set-up-error.mjs'

/** Returns whether pages have to be built. Without the packages that build them, pages of any age stay as they are. */
export function pagesAreToBeBuilt() {
  return !webIsBuilt() && (webCanBeBuilt() || !webWasBuilt())
}

/** Builds the pages that run in a browser, when their sources have changed since. */
export function buildPages() {
  if (!pagesAreToBeBuilt()) return
  if (!webCanBeBuilt()) return say('the dashboard is not there: building it takes the packages for development')
  say('building the dashboard')
  const { status } = spawnSync('node', [projectPath('scripts', 'build-web.ts')], {
    cwd: projectPath(),
    stdio: ['ignore', 2, 2],
    // This is what finds node.cmd.
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new SetUpError('building the dashboard failed; see the message above')
}
