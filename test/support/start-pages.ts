import { databases, type Owner } from './databases.ts'
import { freePort } from './free-port.ts'
import { type ServiceOptions, type StartedService, startService } from './start-service.ts'

let port: number | undefined
let isTaken = false

/**
 * Starts the program for a browser. Test files that share a process have one port in turn, because a browser keeps
 * scripts, and what it has compiled of them, by address.
 */
export async function startPages(owner: Owner, options: ServiceOptions = {}): Promise<StartedService> {
  if (isTaken) return await startService(owner, databases[0], options)
  isTaken = true
  // No promise is kept: what follows on one of another file would be registered with the tests of that file.
  port ??= await freePort()
  const settings = { ...options.settings, PORT: String(port) }
  const service = await startService(owner, databases[0], { ...options, settings })
  // After the service has stopped, which the owner does in the order of registration.
  owner.after(() => {
    isTaken = false
  })
  return service
}
