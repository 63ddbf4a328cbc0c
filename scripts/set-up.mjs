// Makes a fresh clone ready, and does nothing when it already is. Plain JavaScript that runs on Node.js 18,
// because it is what brings the newer Node.js that the rest of the project needs.
// With --tools it leaves out the builds, for the command that makes them itself.
// Everything it says goes to standard error: commands such as `npm run --silent admin` own standard output.
import { delimiter } from 'node:path'
import { buildPages, pagesAreToBeBuilt } from './set-up/build-pages.mjs'
import { buildServer, serverIsToBeBuilt } from './set-up/build-server.mjs'
import { installPackages, packagesAreInstalled } from './set-up/install-packages.mjs'
import { projectPath } from './set-up/project-path.mjs'
import { provideExec } from './set-up/provide-exec.mjs'
import { nodeIsProvided, provideNode } from './set-up/provide-node.mjs'
import { say } from './set-up/say.mjs'
import { SetUpError } from './set-up/set-up-error.mjs'
import { takeTurn } from './set-up/take-turn.mjs'

// The set-up tries and runs what npm scripts will find, also when it was started without npm.
process.env.PATH = [projectPath('node_modules', '.bin'), process.env.PATH].join(delimiter)

const isForTools = process.argv.includes('--tools')

if (!(await isReady())) {
  const release = takeTurn()
  try {
    installPackages()
    provideNode()
    provideExec()
    if (!isForTools) {
      await buildServer()
      buildPages()
    }
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    say(error.message)
    process.exitCode = 1
  } finally {
    release()
  }
}

/** Returns whether nothing is left to do. Every command asks, so this starts no process. */
async function isReady() {
  if (!packagesAreInstalled() || !nodeIsProvided()) return false
  return isForTools || (!(await serverIsToBeBuilt()) && !pagesAreToBeBuilt())
}
