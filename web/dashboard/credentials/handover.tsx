import { Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isForPhones } from '../../../src/tracks/model/event-rules.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { settingsQuery } from '../api/queries.ts'
import { AddressWarning, Command, CopyField } from '../components/copy-fields.tsx'
import { FormAlert, Loaded } from '../components/feedback.tsx'
import { appCommands, appSetupCode, publishCommands } from './commands.ts'
import type { CredentialOwner, ShownCredential } from './credential-requests.ts'

type HandoverProps = {
  kind: CredentialOwner['kind']
  secret: string
  /** Set for an app token that phones may carry: it is shown as a QR code as well. */
  hasCode?: boolean
}

/** An app token or an API key with everything needed to use it: to copy, to try in a terminal, and to scan. */
export function Handover({ kind, secret, hasCode = false }: HandoverProps) {
  const { t } = useTranslation()
  const settings = useQuery(settingsQuery)
  const isToken = kind === 'tokens'
  return (
    <Loaded query={settings}>
      {({ base_url: baseUrl }) => (
        <Group align="flex-start">
          <Stack flex="1 1 400px" miw={0} maw={isToken && !hasCode ? 760 : undefined}>
            <AddressWarning address={baseUrl} users={isToken ? 'phones' : 'others'} />
            <CopyField label={t(`${kind}.one`)} value={secret} />
            {isToken && !hasCode && (
              <Text size="sm" c="dimmed">
                {t('token.noQr')}
              </Text>
            )}
            <CopyField label={t('token.server')} value={baseUrl} />
            {(isToken ? appCommands : publishCommands)(baseUrl, secret).map(({ key, command }) => (
              <Command key={key} label={t(key)} command={command} />
            ))}
          </Stack>
          {hasCode && (
            <Paper withBorder p="md" bg="var(--panel-background)" w={{ base: '100%', sm: 'auto' }}>
              <Stack align="center" maw={248} mx="auto">
                <QrCode text={appSetupCode(baseUrl, secret)} label={t('token.qr')} sizePx={216} />
                <Text size="sm" c="dimmed" ta="center">
                  {t('token.qrHelp')}
                </Text>
              </Stack>
            </Paper>
          )}
        </Group>
      )}
    </Loaded>
  )
}

/** A credential as the server shows it, which may be without its secret. */
export function ShownHandover({ shown }: { shown: ShownCredential }) {
  const { t } = useTranslation()
  const kind = 'token' in shown ? 'tokens' : 'keys'
  const secret = 'token' in shown ? shown.token : shown.api_key
  if (secret === null) return <FormAlert>{t(`${kind}.cannotShow`)}</FormAlert>
  return <Handover kind={kind} secret={secret} hasCode={'token' in shown && isForPhones(shown)} />
}
