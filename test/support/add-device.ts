import type { Page } from 'playwright-core'

/** Gives the browser of a page a device with a sensor, which keeps passkeys and confirms at once. */
export async function addDevice(page: Page) {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifiesUser: (isUserVerified: boolean) =>
      devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    remove: () => devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
