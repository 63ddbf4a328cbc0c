import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { PageTitle } from '../../ui/titles.tsx'
import { useRightsWords } from '../access/rights.tsx'
import { settingsQuery } from '../api/queries.ts'
import { sessionQuery } from '../api/session.ts'
import { Ago } from '../components/ago.tsx'
import { AddressWarning } from '../components/copy-fields.tsx'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Loaded, useNotifyError } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { listOperatorsOptions, listOperatorsQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { createSignInLink, deleteOperator } from '../generated/sdk.gen.ts'
import type { Operator, SignInLink } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { OperatorCreate, OperatorRole } from './operator-forms.tsx'

type OpenDialog =
  | 'create'
  | { name: string; link: SignInLink }
  | { deleting: Operator }
  | { changing: Operator }
  | undefined

/** Lists the operators with their roles; adds, changes and deletes them. */
export function OperatorsPage() {
  const { t } = useTranslation()
  const operators = useQuery({ ...listOperatorsOptions(), select: ({ operators }) => operators })
  const reach = useQuery(settingsQuery).data?.new_accounts_reach
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const link = typeof dialog === 'object' && 'link' in dialog ? dialog : undefined
  const leaving = typeof dialog === 'object' && 'deleting' in dialog ? dialog.deleting : undefined
  const changing = typeof dialog === 'object' && 'changing' in dialog ? dialog.changing : undefined
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('operators.title')} />
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
          {t('operators.new')}
        </Button>
      </Group>
      <Text c="dimmed">{t('operators.explanation')}</Text>
      {reach && (
        <Text c="dimmed">{t(reach === 'nothing' ? 'operators.newReachNothing' : 'operators.newReachAll')}</Text>
      )}
      <Loaded query={operators}>
        {(list) => (
          <OperatorTable
            operators={list}
            onLink={setDialog}
            onRole={(operator) => setDialog({ changing: operator })}
            onDelete={(deleting) => setDialog({ deleting })}
          />
        )}
      </Loaded>
      <Dialog title={t('operators.new')} opened={dialog === 'create'} onClose={close}>
        <OperatorCreate onCreated={(name, made) => setDialog({ name, link: made })} onCancel={close} />
      </Dialog>
      <Dialog title={t('operators.linkFor', { name: link?.name ?? '' })} opened={link !== undefined} onClose={close}>
        {link !== undefined && <SignInLinkView link={link.link} onDone={close} />}
      </Dialog>
      <Dialog
        title={t('operators.roleOf', { name: changing?.name ?? '' })}
        opened={changing !== undefined}
        onClose={close}
      >
        {changing !== undefined && <OperatorRole operator={changing} onDone={close} />}
      </Dialog>
      {leaving !== undefined && <OperatorDelete operator={leaving} onClose={close} />}
    </>
  )
}

function OperatorDelete({ operator, onClose }: { operator: Operator; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => deleteOperator({ path: { id: operator.id } })}
      doneMessage={t('operators.deleted', { name: operator.name })}
      changes={[{ queryKey: listOperatorsQueryKey() }]}
      title={t('operators.deleteThis', { name: operator.name })}
      confirmLabel={t('operators.delete')}
    >
      {t('operators.deleteHelp')}
    </ConfirmDialog>
  )
}

type OperatorTableProps = {
  operators: Operator[]
  onLink(made: { name: string; link: SignInLink }): void
  onRole(operator: Operator): void
  onDelete(operator: Operator): void
}

/** The operators with their roles, their last sign-in and their actions. */
function OperatorTable({ operators, onLink, onRole, onDelete }: OperatorTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const session = useQuery(sessionQuery)
  const rightsWords = useRightsWords()
  const notifyError = useNotifyError()
  const linking = useMutation({
    mutationFn: async ({ id, name }: Operator) => ({ name, link: await createSignInLink({ path: { id } }) }),
    onError: notifyError,
    onSuccess: onLink,
  })
  const actionsOf = (operator: Operator) => (
    <Group gap="xs">
      <RowButton onClick={() => onRole(operator)} aria-label={t('operators.roleOf', { name: operator.name })}>
        {t('operators.roleChange')}
      </RowButton>
      {takesLinks(operator) && (
        <RowButton
          onClick={() => linking.mutate(operator)}
          aria-label={t('operators.linkFor', { name: operator.name })}
        >
          {t('operators.link')}
        </RowButton>
      )}
      <RowButton
        disabled={isLastOwner(operator, operators)}
        onClick={() => onDelete(operator)}
        aria-label={t('operators.deleteThis', { name: operator.name })}
      >
        {t('operators.delete')}
      </RowButton>
      {operator.suspended_at !== null && (
        <Text size="sm" c="dimmed" maw="22rem" style={{ overflowWrap: 'normal' }}>
          {t('operators.suspendedHelp', { time: format.date(operator.suspended_at) })}
        </Text>
      )}
    </Group>
  )
  return (
    <StackedTable
      label={t('operators.title')}
      columns={[
        {
          head: t('field.name'),
          cell: (operator) => <OperatorName operator={operator} isYou={operator.id === session.data?.operator.id} />,
        },
        {
          head: t('operators.role'),
          cell: (operator) => <span style={{ overflowWrap: 'normal' }}>{rightsWords(operator)}</span>,
        },
        { head: t('operators.since'), cell: (operator) => format.date(operator.created_at) },
        {
          head: t('operators.lastSignIn'),
          cell: ({ last_sign_in_at: time }) => (time === null ? t('operators.neverSignedIn') : <Ago time={time} />),
        },
        {
          head: t('operators.secondFactor'),
          cell: (operator) =>
            t(operator.has_second_factor ? 'operators.withSecondFactor' : 'operators.withoutSecondFactor'),
        },
        { head: t('table.actions'), isBare: true, cell: actionsOf },
      ]}
      rows={operators}
      rowId={({ id }) => id}
    />
  )
}

/** The name, with whether it is one's own account, and whether it is suspended. */
function OperatorName({ operator, isYou }: { operator: Operator; isYou: boolean }) {
  const { t } = useTranslation()
  const { name, suspended_at: suspendedAt } = operator
  return (
    <div style={{ minWidth: 0 }}>
      {name}{' '}
      {isYou && (
        <Badge variant="filled" color="teal.9">
          {t('operators.you')}
        </Badge>
      )}{' '}
      {suspendedAt !== null && (
        <Badge variant="filled" color="red.9">
          {t('operators.suspended')}
        </Badge>
      )}
    </div>
  )
}

/** An account of the identity provider has no password here, and a suspended one opens nothing. */
function takesLinks(operator: Operator): boolean {
  return operator.may_have_credentials && operator.suspended_at === null
}

/** A suspended owner counts as none. */
function isLastOwner(operator: Operator, operators: readonly Operator[]): boolean {
  const owners = operators.filter(({ role, suspended_at }) => role === 'owner' && suspended_at === null)
  return owners.length === 1 && owners[0].id === operator.id
}

/** A link to pass on, which lets an operator set a password. */
function SignInLinkView({ link, onDone }: { link: SignInLink; onDone(): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack>
      <Text>{t('operators.linkHelp', { time: format.dateTime(link.expires_at) })}</Text>
      <AddressWarning address={link.url} />
      <Code style={{ overflowWrap: 'anywhere' }}>{link.url}</Code>
      <Group justify="flex-end">
        <CopyButton value={link.url} label={t('operators.linkCopy')} copiedLabel={t('action.copied')} />
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}
