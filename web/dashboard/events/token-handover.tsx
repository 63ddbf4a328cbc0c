import { Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../ui/qr-code.tsx'
import type { ShownAppToken } from '../api/events.ts'
import { settingsQuery } from '../api/settings.ts'
import { AddressWarning } from '../components/address-warning.tsx'
import { Command } from '../components/command.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { FormAlert } from '../forms/form-alert.tsx'
import { appCommands, appSetupCode } from './app-commands.ts'
import { isForPhones } from './phone-tokens.ts'

type TokenHandoverProps = { token: Pick<ShownAppToken, 'token' | 'permissions' | 'user_id'> }

/**
 * An app token with everything needed to use it: to copy, to try in a terminal, and to scan if phones may carry it.
 */
export function TokenHandover({ token }: TokenHandoverProps) {
  const { t } = useTranslation()
  const settings = useQuery(settingsQuery)
  const { token: text } = token
  if (text === null) return <FormAlert>{t('tokens.cannotShow')}</FormAlert>
  return (
    <Loaded query={settings}>
      {({ base_url }) => <Handover token={text} baseUrl={base_url} hasCode={isForPhones(token)} />}
    </Loaded>
  )
}

function Handover({ token, baseUrl, hasCode }: { token: string; baseUrl: string; hasCode: boolean }) {
  const { t } = useTranslation()
  return (
    <Group align="flex-start">
      <Stack flex="1 1 400px" miw={0} maw={hasCode ? undefined : 760}>
        <AddressWarning address={baseUrl} />
        <CopyField label={t('token.token')} value={token} />
        {!hasCode && (
          <Text size="sm" c="dimmed">
            {t('token.noQr')}
          </Text>
        )}
        <CopyField label={t('token.server')} value={baseUrl} />
        {appCommands(baseUrl, token).map(({ key, command }) => (
          <Command key={key} label={t(key)} command={command} />
        ))}
      </Stack>
      {hasCode && (
        <Paper withBorder p="md" bg="var(--panel-background)" w={{ base: '100%', sm: 'auto' }}>
          <Stack align="center" maw={248} mx="auto">
            <QrCode text={appSetupCode(baseUrl, token)} label={t('token.qr')} sizePx={216} />
            <Text size="sm" c="dimmed" ta="center">
              {t('token.qrHelp')}
            </Text>
          </Stack>
        </Paper>
      )}
    </Group>
  )
}
