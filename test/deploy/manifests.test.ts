import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { parse, parseAllDocuments } from 'yaml'
import { settingsTables } from '../../scripts/docs/generated-documents.ts'

type Service = Record<string, unknown> & { image?: string; environment?: Record<string, string>; tmpfs?: string[] }
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> }
type Manifest = { apiVersion: string; kind: string }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const settings = new Set(Object.values(settingsTables).flatMap((table) => Object.values(table).map(({ env }) => env)))
/** Variables that belong to Node.js or to the S3 client. */
for (const name of ['NODE_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) settings.add(name)

function assertSettings(names: readonly string[]) {
  assert.deepEqual(
    names.filter((name) => !settings.has(name)),
    [],
  )
}

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('is built from a valid Dockerfile', () => {
    assert.deepEqual(validate(dockerfile), [])
  })

  test('has one base, which a release names by its digest', () => {
    const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, base]) => base)

    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile.
    assert.deepEqual(new Set(bases), new Set(['${NODE_IMAGE}']))
    assert.match(read('.github/workflows/image.yml'), /NODE_IMAGE=/)
  })

  test('runs as a user that Kubernetes can tell from root', () => {
    assert.match(dockerfile, /^USER [1-9]\d*:[1-9]\d*$/m)
  })
})

describe('compose files', () => {
  for (const file of ['compose.yaml', 'deploy/compose/postgres-garage.yaml']) {
    const { services, volumes } = parse(read(file), { merge: true }) as Compose

    test(`${file} gives no service more rights than it needs`, () => {
      for (const [name, service] of Object.entries(services)) {
        assert.equal(service.read_only, true, name)
        assert.deepEqual(service.cap_drop, ['ALL'], name)
        assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
      }
      assert.match(String(services.trackpress.user), /^[1-9]\d*:/)
      assert.equal(services.trackpress.cap_add, undefined)
    })

    test(`${file} uses settings and volumes that exist`, () => {
      assertSettings(Object.keys(services.trackpress.environment!))
      const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes as string[])
      const named = mounted.map((mount) => mount.split(':')[0]).filter((source) => !source.startsWith('.'))
      assert.deepEqual(named.sort(), Object.keys(volumes).sort())
      for (const mount of mounted.filter((mount) => mount.startsWith('./'))) {
        assert.ok(globSync(join(ROOT, 'deploy/compose', mount.split(':')[0])).length === 1, mount)
      }
    })

    test(`${file} names the version of every image that others make`, () => {
      for (const { image, build } of Object.values(services)) {
        if (build === undefined) assert.match(image!, /:v?\d+(\.\d+)*(@sha256:[0-9a-f]{64})?$/)
      }
    })
  }
})

describe('Kubernetes manifests', () => {
  const files = globSync('deploy/kubernetes/*/*.yaml', { cwd: ROOT }).sort()
  const manifests = files.flatMap((file) =>
    parseAllDocuments(read(file)).map((document) => ({ file, manifest: document.toJS() as Manifest })),
  )

  test('have the fields and types of the API, and no others', () => {
    const folder = mkdtempSync(join(ROOT, 'node_modules', '.manifests-'))
    try {
      const values = manifests.map(({ manifest }, at) => {
        const [group, version] = manifest.apiVersion.includes('/')
          ? manifest.apiVersion.split('/')
          : ['core', manifest.apiVersion]
        const path = `kubernetes-types/${group.replace(/\.k8s\.io$/, '')}/${version}`
        return `export const value${at}: import('${path}').${manifest.kind} = ${JSON.stringify(manifest)}`
      })
      writeFileSync(join(folder, 'manifests.ts'), values.join('\n'))
      const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--target', 'esnext']

      const { stdout, status } = spawnSync('tsc', ['--ignoreConfig', ...args, join(folder, 'manifests.ts')], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
      })

      assert.equal(status, 0, stdout)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  for (const { file, manifest } of manifests.filter(({ manifest }) =>
    /^(Deployment|StatefulSet)$/.test(manifest.kind),
  )) {
    // biome-ignore lint/suspicious/noExplicitAny: the test above has checked the type.
    const { spec } = (manifest as any).spec.template
    const [container] = spec.containers

    test(`${file} passes the restricted Pod Security Standard, with a read-only root`, () => {
      assert.equal(spec.securityContext.runAsNonRoot, true)
      assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault')
      assert.equal(container.securityContext.allowPrivilegeEscalation, false)
      assert.equal(container.securityContext.readOnlyRootFilesystem, true)
      assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] })
      assert.equal(spec.automountServiceAccountToken, false)
    })

    test(`${file} uses settings, probes and volumes that exist`, () => {
      assertSettings(container.env.map(({ name }: { name: string }) => name))
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        assert.match(container[probe].httpGet.path, /^\/(healthz|readyz)(\?service=tracks)?$/)
      }
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      const claims = ((manifest as any).spec.volumeClaimTemplates ?? []).map(({ metadata }: any) => metadata.name)
      const offered = [...claims, ...spec.volumes.map(({ name }: { name: string }) => name)].sort()
      assert.deepEqual(container.volumeMounts.map(({ name }: { name: string }) => name).sort(), offered)
    })
  }
})

describe('the systemd units', () => {
  const units = globSync('deploy/systemd/*.{service,timer}', { cwd: ROOT })
  const services = units.filter((unit) => unit.endsWith('.service'))
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

  for (const unit of services) {
    test(`${unit} uses settings that exist, and the Node.js of the project first`, () => {
      const values = [...read(unit).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line.split(' '))
      const [path, ...settings] = values.map((value) => value.split('='))

      assert.deepEqual([path[0], path[1].split(':')[0]], ['PATH', '/opt/trackpress/node_modules/.bin'])
      assert.deepEqual(
        settings.map(([name]) => name),
        ['NODE_ENV', 'DATA_DIR'],
      )
      assertSettings(settings.map(([name]) => name))
    })
  }

  test('and the admin command share a user, settings, folders and a program', () => {
    const admin = read('deploy/systemd/trackpress-admin').replace(/'/g, '')

    for (const unit of services) {
      const lines = read(unit)
      for (const name of [
        'DynamicUser',
        'User',
        'StateDirectoryMode',
        'UMask',
        'WorkingDirectory',
        'EnvironmentFile',
      ]) {
        const line = lines.match(new RegExp(`^${name}=.*$`, 'm'))![0]
        assert.ok(admin.includes(`-p ${line} `), `${unit}: ${line}`)
      }
      for (const [, value] of lines.matchAll(/^Environment=(.*)$/gm)) {
        for (const variable of value.split(' ')) assert.ok(admin.includes(`-E ${variable} `), `${unit}: ${variable}`)
      }
      assert.match(lines, /^StateDirectory=trackpress\b/m)
    }
  })

  test('are valid', { skip: !hasSystemd && 'there is no systemd-analyze' }, () => {
    const verified = spawnSync('systemd-analyze', ['verify', ...units], { cwd: ROOT, encoding: 'utf8' })

    assert.equal(verified.stderr, '')
  })

  test('expose little while the server runs', { skip: !hasSystemd && 'there is no systemd-analyze' }, () => {
    const unit = join(ROOT, 'deploy/systemd/trackpress.service')
    // 20 stands for an exposure of 2.0 of 10.
    const secure = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
      encoding: 'utf8',
    })

    assert.equal(secure.status, 0, secure.stdout.slice(-200))
  })
})

describe('workflows', () => {
  for (const file of globSync('.github/workflows/*.yml', { cwd: ROOT })) {
    test(`${file} names every action by its commit, with the version beside it`, () => {
      const uses = [...read(file).matchAll(/uses: (.*)$/gm)].map(([, action]) => action)

      assert.ok(uses.length > 0)
      for (const action of uses) assert.match(action, /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    })
  }
})
