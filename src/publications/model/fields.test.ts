import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authorFromFile, firstViewOf, titleFromFile } from './fields.ts'

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

describe('authorFromFile', () => {
  for (const stated of ['Ada Lovelace', 'alovelace', 'Authority of Ports', 'User Research Group', 'Adobea Owusu'])
    test(`takes ${stated} from the file`, () => assert.equal(authorFromFile(` ${stated} `), stated))

  const placeholders = [
    'anonymous',
    'Unknown',
    '(anonymous)',
    'author',
    'User',
    'Windows User',
    'root',
    'ReportLab PDF',
  ]
  for (const stated of [undefined, '', ' ', ...placeholders, 'Microsoft Office User', 'user2'])
    test(`does not take ${JSON.stringify(stated)}`, () => assert.equal(authorFromFile(stated), undefined))
})

describe('firstViewOf', () => {
  const wide = { widthPt: 960, heightPt: 540 }
  const upright = { widthPt: 595, heightPt: 842 }

  test('is what the publisher chose', () => assert.equal(firstViewOf('book', [wide, wide]), 'book'))
  test('shows wide pages one at a time', () => assert.equal(firstViewOf(null, [wide, wide, wide]), 'slides'))
  for (const pages of [[upright, upright], [wide, upright], [wide], [], undefined])
    test(`shows ${pages?.length ?? 'unknown'} other pages in a row`, () =>
      assert.equal(firstViewOf(null, pages), 'scroll'))
})
