import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const CONFIG = readFileSync(new URL('../../deploy/nginx/trackpress.conf', import.meta.url), 'utf8')

/** The program of nginx; undefined where it is not installed. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0)

/** Starts nginx with the configuration for production, without TLS and with folders of its own. */
export async function startNginx(serverUrl: string): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  if (NGINX === undefined) throw new Error('nginx is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  const port = await freePort()
  mkdirSync(join(folder, 'temp'))
  const [beforeServers, , main] = CONFIG.split(/^server \{$/m)
  const server = main
    .replaceAll(/^ *(ssl_\w+|listen) .*\n/gm, '')
    .replace('  server_name', `  listen 127.0.0.1:${port};\n  server_name`)
  const http = `${beforeServers}\nserver {${server}`
    .replace('127.0.0.1:8080', new URL(serverUrl).host)
    .replaceAll('/var/cache/nginx', folder)
    .replaceAll('/var/log/nginx', folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, 'temp', kind)};`,
  )
  const whole = `daemon off; user root; pid ${join(folder, 'pid')}; events {} http { ${temporary.join(' ')}\n${http}\n}`
  writeFileSync(join(folder, 'nginx.conf'), process.getuid?.() === 0 ? whole : whole.replace(' user root;', ''))
  const child = spawn(NGINX, ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  })
  const abandon = () => child.kill()
  process.once('exit', abandon)
  const stop = async () => {
    process.removeListener('exit', abandon)
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  while ((await fetch(`${url}/healthz`).catch(() => undefined)) === undefined) {
    assert.equal(child.exitCode, null, 'nginx has ended')
    await wait(50)
  }
  return { url, pid: child.pid!, stop }
}
