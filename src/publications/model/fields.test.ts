import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { titleFromFile } from './fields.ts'

describe('titleFromFile', () => {
  for (const stated of ['Annual Report 2026', 'Document of the year', 'Rapport annuel']) {
    test(`takes ${stated} from the file`, () => assert.equal(titleFromFile(` ${stated} `, 'scan-7'), stated))
  }

  const empty = ['', ' ', 'Untitled', 'untitled-1', 'Sans titre 2', 'Microsoft Word - plan.doc', 'report.indd']
  for (const stated of [undefined, ...empty, 'Document1', 'x'.repeat(600)]) {
    test(`does not take ${JSON.stringify(stated)?.slice(0, 40)}`, () => {
      assert.equal(titleFromFile(stated, 'scan-7'), 'scan-7')
    })
  }
})
