import { existsSync, statSync } from 'node:fs'
import { projectPath } from './project-path.mjs'
import { runNpm } from './run-npm.mjs'
import { say } from './say.mjs'

/** Returns whether the packages were installed after the lockfile last changed. */
export function packagesAreInstalled() {
  const installed = projectPath('node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(projectPath('package-lock.json')).mtimeMs
}

/** Installs what the lockfile names, and removes everything else, a Node.js that was brought included. */
export function installPackages() {
  if (packagesAreInstalled()) return
  say('installing packages')
  runNpm(['ci', ...(process.env.NODE_ENV === 'production' ? ['--omit=dev'] : [])])
}
