import { Badge, Button, Group, Modal, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import {
  createSignInLink,
  deleteOperator,
  OPERATORS_KEY,
  type Operator,
  operatorsQuery,
  type SignInLink,
} from '../../api/operators.ts'
import { sessionQuery } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Failure } from '../../shell/failure.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { say, useSayFailure } from '../../shell/say.ts'
import { useDialogWords } from '../../shell/use-dialog-words.ts'
import { OperatorCreate } from './operator-create.tsx'
import { SignInLinkShown } from './sign-in-link-shown.tsx'

type Dialog = 'create' | { name: string; link: SignInLink } | { deleting: Operator } | undefined

/** Everyone who may sign in to this dashboard. */
export function OperatorsPage() {
  const { t } = useTranslation()
  const operators = useQuery(operatorsQuery)
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const link = typeof dialog === 'object' && 'link' in dialog ? dialog : undefined
  const deleting = typeof dialog === 'object' && 'deleting' in dialog ? dialog.deleting : undefined
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('operators.title')} />
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
          {t('operators.new')}
        </Button>
      </Group>
      <Text c="dimmed">{t('operators.explanation')}</Text>
      <Loaded query={operators}>{(list) => <OperatorTable operators={list} onDialog={setDialog} />}</Loaded>
      <Modal
        opened={dialog === 'create'}
        onClose={close}
        title={t('operators.new')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <OperatorCreate onCreated={(name, made) => setDialog({ name, link: made })} onCancel={close} />
      </Modal>
      <Modal
        opened={link !== undefined}
        onClose={close}
        title={t('operators.linkFor', { name: link?.name ?? '' })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {link !== undefined && <SignInLinkShown link={link.link} onDone={close} />}
      </Modal>
      {deleting !== undefined && <OperatorDelete operator={deleting} onClose={close} />}
    </>
  )
}

type OperatorTableProps = { operators: Operator[]; onDialog(dialog: Dialog): void }

function OperatorTable({ operators, onDialog }: OperatorTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const session = useQuery(sessionQuery)
  const sayFailure = useSayFailure()
  const linking = useMutation({
    mutationFn: async (operator: Operator) => ({ name: operator.name, link: await createSignInLink(operator.id) }),
    onError: sayFailure,
    onSuccess: onDialog,
  })
  return (
    <Table.ScrollContainer minWidth={620} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table bg="var(--panel-background)" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('operators.name')}</Table.Th>
            <Table.Th>{t('operators.since')}</Table.Th>
            <Table.Th>{t('table.actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operators.map((operator) => (
            <Table.Tr key={operator.id}>
              <Table.Td>
                <Group gap="xs">
                  {operator.name}
                  {operator.id === session.data?.operator.id && (
                    <Badge variant="filled" color="teal.9">
                      {t('operators.you')}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>{format.date(operator.created_at)}</Table.Td>
              <Table.Td>
                <Group gap="xs" wrap="nowrap">
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => linking.mutate(operator)}
                    aria-label={t('operators.linkFor', { name: operator.name })}
                  >
                    {t('operators.link')}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={operators.length === 1}
                    onClick={() => onDialog({ deleting: operator })}
                    aria-label={t('operators.deleteThis', { name: operator.name })}
                  >
                    {t('operators.delete')}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function OperatorDelete({ operator, onClose }: { operator: Operator; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const words = useDialogWords(t('operators.delete'))
  const deleting = useMutation({
    mutationFn: () => deleteOperator(operator.id),
    onSuccess: async () => {
      onClose()
      say(t('operators.deleted', { name: operator.name }))
      await client.invalidateQueries({ queryKey: OPERATORS_KEY })
    },
  })
  return (
    <DeleteDialog
      opened
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      busy={deleting.isPending}
      title={t('operators.deleteThis', { name: operator.name })}
      failure={deleting.isError && <Failure error={deleting.error} />}
      words={words}
    >
      {t('operators.deleteHelp')}
    </DeleteDialog>
  )
}
