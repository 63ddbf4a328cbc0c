import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '#platform/basics/config.ts'
import { operatorConfig } from '../model/config.ts'
import { providerSettings, readGroups, roleOfGroups } from './provider-settings.ts'

const SETTINGS = {
  OIDC_ISSUER: 'https://sso.example.org/application/o/trackpress/',
  OIDC_CLIENT_ID: 'trackpress',
  OIDC_ROLES: 'cn=admins=owner, staff=viewer',
}

function read(env: Record<string, string>) {
  return providerSettings(readConfig({ operator: operatorConfig }, env).operator)
}

describe('providerSettings', () => {
  test('keeps the issuer as it is, and reads roles by group', () => {
    assert.equal(read({}), undefined)
    const settings = read(SETTINGS)!
    assert.equal(settings.issuer, SETTINGS.OIDC_ISSUER)
    assert.deepEqual(
      [...settings.roles],
      [
        ['cn=admins', 'owner'],
        ['staff', 'viewer'],
      ],
    )
    assert.equal(read({ ...SETTINGS, OIDC_ISSUER: 'http://localhost:8081/realms/x' })?.clientSecret, '')
  })

  test('says what is missing or wrong', () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ ...SETTINGS, OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID must be set/],
      [{ ...SETTINGS, OIDC_ROLES: '' }, /OIDC_ROLES must be set/],
      [{ ...SETTINGS, OIDC_ROLES: 'staff=king' }, /OIDC_ROLES must be a list.*staff=king is not group=role/],
      [{ ...SETTINGS, OIDC_ROLES: 'owner' }, /OIDC_ROLES must be a list/],
      [{ ...SETTINGS, OIDC_ISSUER: 'http://sso.example.org' }, /OIDC_ISSUER must be an https URL/],
      [{ ...SETTINGS, OIDC_SCOPES: 'profile' }, /OIDC_SCOPES must contain openid/],
      [{ ...SETTINGS, OIDC_BUTTON: 'x'.repeat(61) }, /OIDC_BUTTON must have at most 60 characters/],
    ]
    for (const [env, message] of wrong) assert.throws(() => read(env), message)
  })
})

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
