// Runs the commands of package.json, also in a fresh clone: `node scripts/run.mjs scripts/replay.ts run.gpx` makes the
// clone ready, which takes no time once it is, and then runs Node.js with the arguments. `npm start` has the clone made
// ready alone, because its server must be the process that gets npm's signals. Plain JavaScript that runs on Node.js
// 18, because it is what brings the newer Node.js that the rest of the project needs.
// Everything it says goes to standard error: commands such as `npm run --silent admin` own standard output.
import { delimiter } from 'node:path'
import { buildPages, pagesAreToBeBuilt } from './set-up/build-pages.mjs'
import { buildServer, serverIsToBeBuilt } from './set-up/build-server.mjs'
import { installPackages, packagesAreInstalled } from './set-up/install-packages.mjs'
import { projectPath } from './set-up/project-path.mjs'
import { provideExec } from './set-up/provide-exec.mjs'
import { nodeIsProvided, provideNode } from './set-up/provide-node.mjs'
import { runNode } from './set-up/run-node.mjs'
import { say } from './set-up/say.mjs'
import { SetUpError } from './set-up/set-up-error.mjs'
import { takeTurn } from './set-up/take-turn.mjs'
import { webWasBuilt } from './web-sources.mjs'

// The set-up tries and runs the programs of the packages, also when it was started without npm.
process.env.PATH = [projectPath('node_modules', '.bin'), process.env.PATH].join(delimiter)

const command = process.argv.slice(2)
/** The command that builds everything itself needs the packages alone. */
const isBuild = command.includes('scripts/build.ts')
const isTest = command.includes('scripts/test.ts')
/** Tests build the server themselves, if one of them starts it. */
const needsServer = !isBuild && !isTest
/** No test of the quick check opens a page in a browser. */
const needsCurrentPages = !(isTest && command.includes('--quick'))

try {
  if (!(await isReady())) await setUp()
  if (command.length > 0) runNode(command)
} catch (error) {
  if (!(error instanceof SetUpError)) throw error
  say(error.message)
  process.exitCode = 1
}

/** Returns whether nothing is left to do. Every command asks, so this starts no process. */
async function isReady() {
  if (!packagesAreInstalled() || !nodeIsProvided()) return false
  return !(await lacksServer()) && !lacksPages()
}

async function lacksServer() {
  return needsServer && (await serverIsToBeBuilt())
}

function lacksPages() {
  return !isBuild && (needsCurrentPages ? pagesAreToBeBuilt() : !webWasBuilt())
}

async function setUp() {
  const release = takeTurn()
  try {
    installPackages()
    provideNode()
    provideExec()
    if (await lacksServer()) await buildServer()
    if (lacksPages()) buildPages()
  } finally {
    release()
  }
}
