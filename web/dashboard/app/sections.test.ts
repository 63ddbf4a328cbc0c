import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isServed, sectionAt, sectionsOf } from './sections.ts'

describe('the sections of the dashboard', () => {
  test('are those of the services that run, the start page first', () => {
    const addresses = (...services: string[]) => sectionsOf(services, { isOwner: true }).map(({ to }) => to)

    assert.deepEqual(addresses('tracks', 'publications', 'dashboard'), [
      '/events',
      '/workspaces',
      '/operators',
      '/audit',
      '/jobs',
      '/settings/map',
      '/settings/erasures',
    ])
    assert.deepEqual(addresses('publications', 'dashboard'), ['/workspaces', '/operators', '/audit', '/jobs'])
    assert.deepEqual(addresses('tracks', 'dashboard'), [
      '/events',
      '/operators',
      '/audit',
      '/jobs',
      '/settings/map',
      '/settings/erasures',
    ])
    assert.deepEqual(addresses('dashboard'), ['/operators', '/audit', '/jobs'])
  })

  test('are those of events and workspaces for others than owners', () => {
    const services = ['tracks', 'publications', 'dashboard']

    assert.deepEqual(
      sectionsOf(services, { isOwner: false }).map(({ to }) => to),
      ['/events', '/workspaces'],
    )
  })

  test('include the addresses below theirs, and those of their contents', () => {
    assert.equal(sectionAt('/events/1/tracks')?.to, '/events')
    assert.equal(sectionAt('/tracks/1')?.to, '/events')
    assert.equal(sectionAt('/publications/1')?.to, '/workspaces')
    assert.equal(sectionAt('/settings/map')?.to, '/settings/map')
    assert.equal(sectionAt('/settings/erasures/1')?.to, '/settings/erasures')
    assert.equal(sectionAt('/account'), undefined)
  })

  test('are missing without their service', () => {
    assert.equal(isServed('/tracks/1', ['publications']), false)
    assert.equal(isServed('/workspaces', ['publications']), true)
    assert.equal(isServed('/account', []), true)
  })
})
