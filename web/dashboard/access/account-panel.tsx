import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { saveFile } from '../../ui/qr-code.tsx'
import { settingsQuery } from '../api/queries.ts'
import { factorAnswers } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { getSessionQueryKey } from '../generated/@tanstack/react-query.gen.ts'

/** The things in a panel, such as passkeys or sessions. */
export function AccountList({ children }: { children: ReactNode }) {
  return (
    <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  )
}

type AccountRowProps = {
  icon: LucideIcon
  name: string
  /** Follows the name. */
  badge?: ReactNode
  help: ReactNode
  /** Buttons for its actions. */
  children?: ReactNode
}

/** One thing of a panel. What one can do with it lies beside it, or below it where there is no room. */
export function AccountRow({ icon: Icon, name, badge, help, children }: AccountRowProps) {
  return (
    <Group component="li" justify="space-between" gap="xs">
      <Group gap="sm" wrap="nowrap" flex="1 1 200px" miw={0}>
        <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {badge}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {help}
          </Text>
        </div>
      </Group>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  )
}

/** New recovery codes, which are shown once. */
export function RecoveryCodesView({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  return (
    <Stack>
      <Text>{t('security.codesShown')}</Text>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code fz="sm">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={text} label={t('security.codesCopy')} copiedLabel={t('action.copied')} />
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), `trackpress-${location.hostname}.txt`)}
        >
          {t('security.codesDownload')}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('security.codesSaved')}</Button>
      </Group>
    </Stack>
  )
}

type FactorRemoveProps = {
  action(): Promise<void>
  title: string
  confirmLabel: string
  doneMessage: string
  /** The consequences; `isRequired` says that an operator without any factor has to set one up again. */
  help(isRequired: boolean): string
  onClose(): void
}

/** Removes a second factor of the signed-in operator after confirmation. */
export function FactorRemove({ help, ...dialog }: FactorRemoveProps) {
  const settings = useQuery(settingsQuery)
  return (
    // The session says whether a factor is missing.
    <ConfirmDialog {...dialog} changes={[factorAnswers(), { queryKey: getSessionQueryKey() }]}>
      {help(settings.data?.second_factor_required === true)}
    </ConfirmDialog>
  )
}
