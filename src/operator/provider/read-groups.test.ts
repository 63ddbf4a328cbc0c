import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readGroups, roleOfGroups } from './read-groups.ts'

describe('readGroups', () => {
  test('finds a claim by its name, or by a path', () => {
    const claims = {
      groups: ['a', 'b', 3],
      role: 'one',
      'https://example.org/groups': ['c'],
      realm_access: { roles: ['d'] },
    }

    assert.deepEqual(readGroups(claims, 'groups'), ['a', 'b'])
    assert.deepEqual(readGroups(claims, 'role'), ['one'])
    assert.deepEqual(readGroups(claims, 'https://example.org/groups'), ['c'])
    assert.deepEqual(readGroups(claims, 'realm_access.roles'), ['d'])
    for (const missing of ['none', 'realm_access.none', 'groups.length', 'realm_access.constructor.name'])
      assert.equal(readGroups(claims, missing), undefined, missing)
  })
})

test('roleOfGroups returns the greatest role', () => {
  const roles = new Map([
    ['staff', 'viewer'],
    ['press', 'editor'],
    ['admins', 'owner'],
  ] as const)

  assert.equal(roleOfGroups(['press', 'staff', 'else'], roles), 'editor')
  assert.equal(roleOfGroups(['staff', 'admins'], roles), 'owner')
  assert.equal(roleOfGroups(['Admins', 'else'], roles), undefined)
  assert.equal(roleOfGroups([], roles), undefined)
})
