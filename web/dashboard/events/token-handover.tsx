import { Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../ui/qr-code.tsx'
import { settingsQuery } from '../api/settings.ts'
import { AddressWarning } from '../components/address-warning.tsx'
import { Command } from '../components/command.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { appCommands, appSetupCode } from './app-commands.ts'

/** An app token with everything needed to use it: to copy, to scan, and to try in a terminal. */
export function TokenHandover({ token }: { token: string }) {
  const settings = useQuery(settingsQuery)
  return <Loaded query={settings}>{({ base_url }) => <Handover token={token} baseUrl={base_url} />}</Loaded>
}

function Handover({ token, baseUrl }: { token: string; baseUrl: string }) {
  const { t } = useTranslation()
  return (
    <Group align="flex-start">
      <Stack flex="1 1 400px" miw={0}>
        <AddressWarning address={baseUrl} />
        <CopyField label={t('token.token')} value={token} />
        <CopyField label={t('token.server')} value={baseUrl} />
        {appCommands(baseUrl, token).map(({ key, command }) => (
          <Command key={key} label={t(key)} command={command} />
        ))}
      </Stack>
      <Paper withBorder p="md" bg="var(--panel-background)">
        <Stack align="center" maw={248}>
          <QrCode text={appSetupCode(baseUrl, token)} label={t('token.qr')} sizePx={216} />
          <Text size="sm" c="dimmed" ta="center">
            {t('token.qrHelp')}
          </Text>
        </Stack>
      </Paper>
    </Group>
  )
}
