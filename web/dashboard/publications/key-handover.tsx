import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { settingsQuery } from '../api/settings.ts'
import { AddressWarning } from '../components/address-warning.tsx'
import { Command } from '../components/command.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { publishCommands } from './publish-commands.ts'

/** An API key with everything needed to use it: to copy, and to try in a terminal. */
export function KeyHandover({ apiKey }: { apiKey: string }) {
  const { t } = useTranslation()
  const settings = useQuery(settingsQuery)
  return (
    <Loaded query={settings}>
      {({ base_url }) => (
        <Stack>
          <AddressWarning address={base_url} />
          <CopyField label={t('key.key')} value={apiKey} />
          <CopyField label={t('token.server')} value={base_url} />
          {publishCommands(base_url, apiKey).map(({ key, command }) => (
            <Command key={key} label={t(key)} command={command} />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}
