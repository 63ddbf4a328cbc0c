import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAddressPolicy, endpointUrlProblem } from './address-policy.ts'

/**
 * Addresses from the registries of special purposes (IANA), and those under which clouds tell machines their secrets.
 */
const INNER = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'nonsense',
]

describe('createAddressPolicy', () => {
  for (const address of INNER) {
    test(`refuses ${address}`, () => {
      assert.equal(createAddressPolicy([]).allows(address, 'https:'), false)
    })
  }

  for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1']) {
    test(`allows ${address} over https, and not over http`, () => {
      const policy = createAddressPolicy([])

      assert.equal(policy.allows(address, 'https:'), true)
      assert.equal(policy.allows(address, 'http:'), false)
    })
  }

  test('allows what the operator has named, over http too, and no more', () => {
    const policy = createAddressPolicy(['10.0.0.0/8', 'fd12::/16', '192.168.1.7'])

    for (const address of ['10.9.8.7', '::ffff:10.9.8.7', 'fd12::1', '192.168.1.7']) {
      assert.equal(policy.allows(address, 'https:'), true, address)
      assert.equal(policy.allows(address, 'http:'), true, address)
    }
    for (const address of ['127.0.0.1', 'fd13::1', '192.168.1.8']) assert.equal(policy.allows(address, 'https:'), false)
  })
})

describe('endpointUrlProblem', () => {
  const policy = createAddressPolicy(['10.0.0.0/8'])

  for (const url of ['https://example.org', 'https://example.org:8443/a?b=c', 'http://10.0.0.1/', 'http://receiver/']) {
    test(`accepts ${url}`, () => {
      assert.equal(endpointUrlProblem(url, policy), undefined)
    })
  }

  for (const url of [
    'example.org',
    'javascript:alert(1)',
    'https://user@example.org/',
    'https://example.org/#part',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'http://1.1.1.1/',
  ]) {
    test(`refuses ${url}`, () => {
      assert.match(endpointUrlProblem(url, policy)!, /^must /)
    })
  }
})
