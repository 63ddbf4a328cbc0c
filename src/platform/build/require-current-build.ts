import { fileURLToPath } from 'node:url'
import { isBuiltFromSources } from './built-sources.ts'

const PROJECT = fileURLToPath(new URL('.', import.meta.resolve('#project/package.json')))

/**
 * Refuses to run a build whose sources have changed since: it would be another program than the one that is read.
 * @param program address of the program's main file; sources that run as they are need no check
 * @throws Error that says how to build again
 */
export function requireCurrentBuild(program: string): void {
  if (program.endsWith('.ts') || isBuiltFromSources(PROJECT, fileURLToPath(new URL('.', program)))) return
  throw new Error(
    'this build of the server is older than its sources. Run it with npm, which builds it again, or run: node scripts/build-server.ts',
  )
}
