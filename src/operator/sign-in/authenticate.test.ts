import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswordJudge } from './authenticate.ts'

test('createPasswordJudge judges in a thread, also with the name of the operator', async (t) => {
  const judge = createPasswordJudge()
  t.after(() => judge.close())

  const judged = await Promise.all([
    judge.isWeak('correct horse battery staple', 'Anna'),
    judge.isWeak('a quiet lake at dawn', 'Anna'),
    judge.isWeak('wilhelmine maximiliane', 'Wilhelmine Maximiliane'),
  ])

  assert.deepEqual(judged, [true, false, true])
})
