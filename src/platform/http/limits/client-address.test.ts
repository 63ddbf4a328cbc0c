import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressGroup, addressSite } from './client-address.ts'

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
