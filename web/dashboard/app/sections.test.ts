import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { administrationPages, isServed, sectionAt, sectionsOf } from './sections.ts'

describe('the sections of the dashboard', () => {
  test('are those of the services that run, the start page first', () => {
    const addresses = (...services: string[]) =>
      sectionsOf(services, { isOwner: true, isPublisher: false }).map(({ to }) => to)

    assert.deepEqual(addresses('tracks', 'publications', 'dashboard'), ['/events', '/workspaces', '/settings/map'])
    assert.deepEqual(addresses('publications', 'dashboard'), ['/workspaces', '/operators'])
    assert.deepEqual(addresses('tracks', 'dashboard'), ['/events', '/settings/map'])
    assert.deepEqual(addresses('dashboard'), ['/operators'])
  })

  test('are those of events and workspaces for others than owners', () => {
    const services = ['tracks', 'publications', 'dashboard']

    const addresses = (isPublisher: boolean) =>
      sectionsOf(services, { isOwner: false, isPublisher }).map(({ to }) => to)

    assert.deepEqual(addresses(false), ['/events', '/workspaces'])
    assert.deepEqual(addresses(true), ['/workspaces', '/events'])
  })

  test('include the addresses below theirs, and those of their contents', () => {
    assert.equal(sectionAt('/events/1/tracks')?.key, 'nav.events')
    assert.equal(sectionAt('/tracks/1')?.key, 'nav.events')
    assert.equal(sectionAt('/publications/1')?.key, 'nav.workspaces')
    assert.equal(sectionAt('/settings/erasures/1')?.key, 'nav.administration')
    assert.equal(sectionAt('/audit')?.key, 'nav.administration')
    assert.equal(sectionAt('/account'), undefined)
  })

  test('are missing without their service', () => {
    assert.equal(isServed('/tracks/1', ['publications']), false)
    assert.equal(isServed('/settings/map', ['publications']), false)
    assert.equal(isServed('/jobs', ['publications']), true)
    assert.equal(isServed('/workspaces', ['publications']), true)
    assert.equal(isServed('/account', []), true)
  })
})

describe('the pages of the administration', () => {
  test('are those of the services that run', () => {
    const addresses = (...services: string[]) => administrationPages(services).map(({ to }) => to)

    assert.deepEqual(addresses('tracks', 'dashboard'), [
      '/settings/map',
      '/settings/erasures',
      '/operators',
      '/audit',
      '/jobs',
    ])
    assert.deepEqual(addresses('publications', 'dashboard'), ['/operators', '/audit', '/jobs'])
  })
})
