import type { Owner } from './databases.ts'

const cleanUps: (() => Promise<void> | void)[] = []
let isShared = false

/** Declares that several test files run in this process. @returns a function that removes what they have shared */
export function shareProcess(): () => Promise<void> {
  isShared = true
  return async () => {
    for (const clean of cleanUps) await clean()
  }
}

/** Returns the owner of what the test files of this process share; undefined if there is one file, which owns all. */
export function processOwner(): Owner | undefined {
  return isShared ? { after: (clean) => cleanUps.push(clean) } : undefined
}
