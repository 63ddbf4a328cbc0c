import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { addressGroup, addressSite, hasValidHost, hostName, hostNameOf } from './client.ts'

const cases: [title: string, addresses: string[], group: string][] = [
  ['an IPv4 address is its own group', ['192.0.2.1', '192.0.2.1:4711', '::ffff:192.0.2.1'], '192.0.2.1'],
  [
    'the addresses of an IPv6 subscriber are one group',
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '[2001:db8:1:2::1]', '[2001:db8:1:2::1]:4711'],
    '2001:db8:1:2::/64',
  ],
  ['an interface is no part of an address', ['fe80::1%eth0', 'fe80::1'], 'fe80:0:0:0::/64'],
  ['what is no address is one group', ['unknown', '_hidden:4711', '', '1.2.3.4:x', '[x]:1', ':::'], 'unknown'],
]

for (const [title, addresses, group] of cases) {
  test(title, () => {
    const groups = addresses.map(addressGroup)

    assert.deepEqual(groups, Array(addresses.length).fill(group))
  })
}

test('the site of an IPv6 address is its /48, and other addresses have none', () => {
  const sites = [
    '2001:db8:1:2::1',
    '[2001:db8:1:ffff::]:4711',
    '2001:db8:2::1',
    '192.0.2.1',
    '::ffff:192.0.2.1',
    'unknown',
  ]

  assert.deepEqual(sites.map(addressSite), [
    ...['2001:db8:1::/48', '2001:db8:1::/48', '2001:db8:2::/48'],
    ...[undefined, undefined, undefined],
  ])
})

describe('hostName', () => {
  test('ignores case, port and the dot of the root', () => {
    const hosts = ['read.example.org', 'READ.example.org:443', 'read.example.org.', 'read.example.org.:8080']

    assert.deepEqual(
      hosts.map((host) => hostName(host)),
      hosts.map(() => 'read.example.org'),
    )
    assert.equal(hostNameOf('https://Read.Example.org./papers'), 'read.example.org')
  })

  test('keeps addresses, and finds none where there is none', () => {
    assert.deepEqual(
      ['192.0.2.1:80', '[2001:db8::1]:80', '', 'a b'].map((host) => hostName(host)),
      ['192.0.2.1', '[2001:db8::1]', undefined, undefined],
    )
  })
})

describe('hasValidHost', () => {
  const isValid = (hosts: readonly string[], httpVersion = '1.1') =>
    hasValidHost({
      httpVersion,
      headers: { host: hosts[0] },
      rawHeaders: ['Accept', '*/*', ...hosts.flatMap((host, index) => [index === 0 ? 'Host' : 'hOST', host])],
    } as unknown as IncomingMessage)

  test('accepts one name or address with or without a port', () => {
    for (const host of ['x', 'tracks.example.org', 'my_service:8080', '192.0.2.1:80', '[2001:db8::1]', 'localhost:'])
      assert.ok(isValid([host]), host)
  })

  test('refuses several, none, and what names no host', () => {
    assert.equal(isValid(['a.example', 'b.example']), false)
    assert.equal(isValid(['a.example', 'a.example']), false)
    assert.equal(isValid([]), false)
    assert.equal(isValid([], '1.0'), true)
    for (const host of ['', 'a,b', 'a b', 'a/b', 'user@a', 'http://a', 'a:b', '[::1', 'a%2e']) {
      assert.equal(isValid([host]), false, host)
    }
  })
})
