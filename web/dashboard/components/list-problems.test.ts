import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStartListCsv } from '../../../src/tracks/race/start-list.ts'
import { startListProblems } from './list-problems.ts'

/** The problems of a list as the server finds them: key, line, field and values. */
function problemsOf(csv: string) {
  const { errors } = readStartListCsv(new TextEncoder().encode(csv))
  return startListProblems(errors, csv).map(({ key, line, field, values: { reason: _, ...values }, text }) => [
    key,
    line,
    field,
    values,
    text,
  ])
}

describe('the problems of a start list', () => {
  test('name the line with its text, the column and the rule', () => {
    assert.deepEqual(problemsOf('bib,name\n1,Anna\n,Ben\n'), [['race.rule.empty', 3, 'bib', {}, ',Ben']])
  })

  test('say where a bib is used first', () => {
    const problems = problemsOf('bib,name\n1,Anna\n1,Ben\n')

    assert.deepEqual(problems[0], ['race.rule.twice', 3, 'bib', { first: '2' }, '1,Ben'])
  })

  for (const [csv, key] of [
    ['number of the runner\n1', 'race.rule.columns'],
    ['bib,name,bib\n1,Anna,2', 'race.rule.columnTwice'],
    ['bib,name\n1,"Anna', 'race.rule.csv'],
    ['bib,name,status\n1,Anna,late', 'race.rule.status'],
    [`bib,name\n${'1'.repeat(30)},Anna`, 'race.rule.long'],
  ]) {
    test(`have words of their own for ${key}`, () => {
      assert.equal(problemsOf(csv)[0][0], key)
    })
  }
})
