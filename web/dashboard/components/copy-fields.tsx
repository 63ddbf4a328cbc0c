import { Alert, Button, Code, Group, Paper, Text, Title } from '@mantine/core'
import { ExternalLink, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { addressProblem } from './address-problem.ts'

type CopyFieldProps = { label: string; value: string; actions?: ReactNode }

/** A labelled value with a button that copies it. */
export function CopyField({ label, value, actions }: CopyFieldProps) {
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Title order={2} size="h5" mb="xs">
        {label}
      </Title>
      <Group justify="space-between" gap="sm">
        <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Code>
        <Group gap="xs">
          {actions}
          <CopyThing thing={label} value={value} />
        </Group>
      </Group>
    </Paper>
  )
}

/** Text to paste elsewhere, such as a command for a terminal. */
export function Command({ label, command }: { label: string; command: string }) {
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {label}
        </Title>
        <CopyThing thing={label} value={command} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre className="command" tabIndex={0}>
        <code>{command}</code>
      </pre>
    </Paper>
  )
}

function CopyThing({ thing, value }: { thing: string; value: string }) {
  const { t } = useTranslation()
  return (
    <CopyButton
      size="xs"
      value={value}
      label={t('action.copy')}
      name={t('action.copyThing', { thing })}
      copiedLabel={t('action.copied')}
    />
  )
}

/** Opens the address in another tab, for {@link CopyField}. */
export function OpenButton({ href }: { href: string }) {
  const { t } = useTranslation()
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      size="xs"
      variant="default"
      leftSection={<ExternalLink size={16} aria-hidden />}
    >
      {t('sharing.open')}
    </Button>
  )
}

type AddressWarningProps = {
  address: string
  /** Users of the address; apps need HTTPS. */
  users?: 'phones' | 'others'
  /** The setting that determines the address. */
  setting?: 'BASE_URL' | 'PUBLIC_URL'
}

/** The yellow of the title would be too pale on the ground of the alert (WCAG 1.4.3). */
const BLACK_TITLE = { title: { color: 'var(--mantine-color-text)' } }

/** Warns, next to an address or its QR code, that phones or others cannot use it, and says which setting to change. */
export function AddressWarning({ address, users = 'others', setting = 'BASE_URL' }: AddressWarningProps) {
  const { t } = useTranslation()
  const problem = addressProblem(address)
  if (problem === undefined) return null
  const text = users === 'others' ? (`address.others.${problem}` as const) : (`address.${problem}` as const)
  return (
    <Alert color="yellow" icon={<TriangleAlert aria-hidden />} title={t(text)} styles={BLACK_TITLE}>
      <Text size="sm">
        <Trans i18nKey={`${text}Help`} values={{ setting }} components={{ code: <code /> }} />
      </Text>
    </Alert>
  )
}
