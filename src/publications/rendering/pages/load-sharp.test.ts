import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'

/** Runs code in a process of its own, and returns the libraries that it has loaded by then. */
async function librariesAfter(code: string): Promise<string[]> {
  const report =
    'process.report.excludeNetwork = true; console.log(JSON.stringify(process.report.getReport().sharedObjects))'
  const parameters = ['--no-warnings', '--input-type=module', '-e', `${code}; ${report}`]
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: import.meta.dirname })
  return JSON.parse(stdout) as string[]
}

describe('loadSharp', () => {
  test('loads the library when the first image is encoded, and not with the service', async () => {
    const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
    const service = `await import(${module('../../service.ts')})`
    const encoding = `const { loadSharp } = await import(${module('../../../platform/basics/load-sharp.ts')}); await loadSharp()`

    const [before, after] = await Promise.all([service, encoding].map(librariesAfter))

    const isSharp = (path: string) => /sharp|vips/.test(path)
    assert.deepEqual(before.filter(isSharp), [])
    assert.ok(after.some(isSharp))
  })
})
