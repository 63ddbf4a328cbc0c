import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SET_UP = fileURLToPath(new URL('scripts/set-up.mjs', import.meta.resolve('#project/package.json')))

/**
 * Reads how this installation runs its admin command. If the setting is empty, it is npm in a copy of the project with
 * its scripts, which npm would run first, and Node.js elsewhere.
 */
export function adminCommand(setting: string, setUp = SET_UP): string {
  if (setting !== '') return setting
  return existsSync(setUp) ? 'npm run --silent admin --' : 'node dist/server/admin.js'
}
