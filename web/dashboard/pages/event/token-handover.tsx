import { Code, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { settingsQuery } from '../../api/settings.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { appSetUp, curlLines } from './curl-lines.ts'

/** An app token with everything to put it to use: to copy, to scan, and to try in a terminal. */
export function TokenHandover({ token }: { token: string }) {
  const settings = useQuery(settingsQuery)
  return <Loaded query={settings}>{({ base_url }) => <Handover token={token} baseUrl={base_url} />}</Loaded>
}

function Handover({ token, baseUrl }: { token: string; baseUrl: string }) {
  const { t } = useTranslation()
  const copied = t('action.copied')
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 'auto' }}>
        <Stack>
          <Field label={t('token.token')} value={token} />
          <Field label={t('token.server')} value={baseUrl} />
          {curlLines(baseUrl, token).map(({ key, command }) => (
            <Paper key={key} withBorder p="md" bg="var(--panel-background)">
              <Group justify="space-between" mb="xs">
                <Title order={2} size="h5">
                  {t(key)}
                </Title>
                <CopyButton
                  size="xs"
                  value={command}
                  label={t('action.copy')}
                  name={t('action.copyThing', { thing: t(key) })}
                  copiedLabel={copied}
                />
              </Group>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
              <pre className="command" tabIndex={0}>
                <code>{command}</code>
              </pre>
            </Paper>
          ))}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 'content' }}>
        <Paper withBorder p="md" bg="var(--panel-background)">
          <Stack align="center" maw={248}>
            <QrCode text={appSetUp(baseUrl, token)} label={t('token.qr')} sizePx={216} />
            <Text size="sm" c="dimmed" ta="center">
              {t('token.qrHelp')}
            </Text>
          </Stack>
        </Paper>
      </Grid.Col>
    </Grid>
  )
}

function Field({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Title order={2} size="h5" mb="xs">
        {label}
      </Title>
      <Group justify="space-between" gap="sm">
        <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Code>
        <CopyButton
          size="xs"
          value={value}
          label={t('action.copy')}
          name={t('action.copyThing', { thing: label })}
          copiedLabel={t('action.copied')}
        />
      </Group>
    </Paper>
  )
}
