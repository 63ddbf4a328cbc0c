import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { Client } from 'pg'
import { parse, parseAllDocuments } from 'yaml'
import { settingsTables } from '../../scripts/docs/generated-documents.ts'

type Service = Record<string, unknown> & { image?: string; environment?: Record<string, string>; tmpfs?: string[] }
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> }
type Manifest = { apiVersion: string; kind: string }

const ADMIN = 'ADMIN_COMMAND'

/** Types of what is no part of Kubernetes itself, as their documentation has them. */
const CUSTOM_TYPES: Record<string, string> = {
  'monitoring.coreos.com/v1 ServiceMonitor': `{
    apiVersion: string
    kind: string
    metadata: import('kubernetes-types/meta/v1').ObjectMeta
    spec: {
      selector: import('kubernetes-types/meta/v1').LabelSelector
      endpoints: { port: string; path?: string; interval?: string; scrapeTimeout?: string }[]
    }
  }`,
}

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

  test('has the variants of packages that are loaded, and no others', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'image-packages-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const names = ['tesseract.js-core', '@tesseract.js-data/eng', 'eld'].flatMap((name) => {
      const source = findPackageJSON(name, import.meta.url)!.replace(/package\.json$/, '')
      return readdirSync(source, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join('node_modules', name, relative(source, entry.parentPath), entry.name))
    })
    for (const name of names) {
      mkdirSync(join(folder, dirname(name)), { recursive: true })
      writeFileSync(join(folder, name), '')
    }
    const [, command] = /^RUN (cd node_modules (?:.*\\\n)+.*)$/m.exec(dockerfile)!

    execFileSync('sh', ['-c', command], { cwd: folder })

    const kept = names.filter((name) => existsSync(join(folder, name)) && /\.(?:wasm|gz)|simd|ngrams/.test(name))
    assert.deepEqual(kept.map((name) => basename(name)).toSorted(), [
      'eng.traineddata.gz',
      'extrasmall.js',
      'tesseract-core-simd-lstm.js',
      'tesseract-core-simd-lstm.wasm',
    ])
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
      assert.deepEqual([...new Set(named)].sort(), Object.keys(volumes).sort())
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

test('the compose file with PostgreSQL reaches it by a socket that both have, and by no network', () => {
  const { services } = parse(read('deploy/compose/postgres-garage.yaml'), { merge: true }) as Compose
  const { trackpress, postgres } = services as Record<string, { volumes: string[]; command: string[] } & Service>
  const address = trackpress.environment!.DATABASE_URL.replace(/\$\{[^}]*\}/, 'password')

  const folder = new Client({ connectionString: address }).host
  assert.ok(trackpress.volumes.includes(`sockets:${folder}:ro`), folder)
  assert.ok(postgres.volumes.includes(`sockets:${folder}`), folder)
  assert.deepEqual(postgres.command, ['postgres', '-c', 'listen_addresses='])
  assert.equal(postgres.environment!.POSTGRES_INITDB_ARGS, '--auth-local=scram-sha-256')
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
        const type = CUSTOM_TYPES[`${manifest.apiVersion} ${manifest.kind}`] ?? `import('${path}').${manifest.kind}`
        return `export const value${at}: ${type} = ${JSON.stringify(manifest)}`
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

  test('scrape a port of each Service, as the job that the alert rules name', () => {
    // biome-ignore lint/suspicious/noExplicitAny: the test above has checked the types.
    const all = manifests.map(({ manifest }) => manifest as any)
    const ofKind = (kind: string) => all.filter((manifest) => manifest.kind === kind)
    const [{ spec }] = ofKind('ServiceMonitor')

    const services = ofKind('Service')
    assert.equal(services.length, 2)
    for (const service of services) {
      assert.partialDeepStrictEqual(service.metadata, { name: 'trackpress', labels: spec.selector.matchLabels })
      assert.ok(service.spec.ports.some(({ name }: { name: string }) => name === spec.endpoints[0].port))
    }
  })

  test('scale a Deployment that exists and leaves its number of pods to that', () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const find = (kind: string) => manifests.find(({ manifest }) => manifest.kind === kind)!.manifest as any
    const { scaleTargetRef, minReplicas, maxReplicas } = find('HorizontalPodAutoscaler').spec
    const { apiVersion, kind, metadata, spec } = find('Deployment')

    assert.deepEqual(scaleTargetRef, { apiVersion, kind, name: metadata.name })
    assert.equal(spec.replicas, undefined)
    assert.ok(minReplicas >= 2 && maxReplicas > minReplicas)
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

test('each kind of installation names the admin command that works in it', () => {
  const [program] = /node dist\S+admin\.js/.exec(read('deploy/systemd/trackpress-admin'))!
  const ofCompose = (file: string) => (parse(read(file), { merge: true }) as Compose).services.trackpress.environment
  const ofPod = (file: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: the test of the manifests has checked the type.
    const { kind, metadata, spec } = parse(read(file)) as any
    const { value } = spec.template.spec.containers[0].env.find(({ name }: { name: string }) => name === ADMIN)
    return [value, `kubectl exec ${kind.toLowerCase()}/${metadata.name} -- ${program}`]
  }

  assert.match(read('Dockerfile'), new RegExp(`^ +${ADMIN}="docker exec <container> ${program}"$`, 'm'))
  assert.equal(ofCompose('compose.yaml')![ADMIN], `docker compose exec trackpress ${program}`)
  const withPostgres = 'deploy/compose/postgres-garage.yaml'
  assert.equal(ofCompose(withPostgres)![ADMIN], `docker compose -f ${withPostgres} exec trackpress ${program}`)
  for (const file of ['postgres/deployment.yaml', 'sqlite/statefulset.yaml'])
    assert.equal(...(ofPod(`deploy/kubernetes/${file}`) as [string, string]))
  assert.ok(variablesOf(read('deploy/systemd/trackpress.service')).includes(`${ADMIN}=sudo trackpress-admin`))
})

/** Reads the variables of a unit. A value with spaces has a line of its own, in quotation marks. */
function variablesOf(unit: string): string[] {
  return [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) =>
    line.startsWith("'") ? [line.slice(1, -1)] : line.split(' '),
  )
}

describe('the systemd units', () => {
  const units = globSync('deploy/systemd/*.{service,timer}', { cwd: ROOT })
  const services = units.filter((unit) => read(unit).includes('dist/server/'))
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

  for (const unit of services) {
    test(`${unit} uses settings that exist, and the Node.js of the project first`, () => {
      const values = variablesOf(read(unit))
      const [path, ...settings] = values.map((value) => value.split('='))

      assert.deepEqual([path[0], path[1].split(':')[0]], ['PATH', '/opt/trackpress/node_modules/.bin'])
      assert.deepEqual(
        settings.map(([name]) => name).filter((name) => name !== 'ADMIN_COMMAND'),
        ['NODE_ENV', 'DATA_DIR'],
      )
      assertSettings(settings.map(([name]) => name))
    })
  }

  test('let the server and the backup open many files and connections', () => {
    for (const unit of services) assert.match(read(unit), /^LimitNOFILE=65536$/m, unit)
  })

  test('tell when a backup has failed', () => {
    const [, told] = /^OnFailure=(trackpress-failed@)%n\.service$/m.exec(
      read('deploy/systemd/trackpress-backup.service'),
    )!
    const unit = read(`deploy/systemd/${told}.service`)

    assert.match(unit, /^ExecStart=\/usr\/bin\/logger --priority user\.crit .*%i has failed/m)
    assert.match(unit, /^ExecStart=-\/usr\/local\/sbin\/trackpress-failed %i$/m)
  })

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
      for (const variable of variablesOf(lines)) assert.ok(admin.includes(`-E ${variable} `), `${unit}: ${variable}`)
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

describe('the configuration of nginx', () => {
  test('writes no address with a token, neither to the access log nor to the error log', () => {
    const lines = read('deploy/nginx/trackpress.conf')
      .split('\n')
      .map((line) => line.trim())
    const logs = (name: string) => lines.filter((line) => line.startsWith(`${name} `))

    assert.deepEqual(logs('error_log'), ['error_log /var/log/nginx/trackpress-error.log emerg;'])
    assert.deepEqual(logs('access_log'), [
      'access_log off;',
      'access_log /var/log/nginx/trackpress.log without_tokens;',
    ])
    const format = logs('log_format').join()
    assert.ok(!/\$(request|request_uri|uri|args|http_referer)\b/.test(format), format)
  })
})
