import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table.tsx'
import { useRightsWords } from '../../access/rights-words.ts'
import { createSignInLink, type Operator, type SignInLink } from '../../api/operators.ts'
import { sessionQuery } from '../../api/session.ts'
import { Ago } from '../../components/ago.tsx'
import { useNotifyError } from '../../feedback/notify.ts'
import { useFormat } from '../../i18n/format.ts'

type OperatorTableProps = {
  operators: Operator[]
  onLink(made: { name: string; link: SignInLink }): void
  onRole(operator: Operator): void
  onDelete(operator: Operator): void
}

/** The operators with their roles, their last sign-in and their actions. */
export function OperatorTable({ operators, onLink, onRole, onDelete }: OperatorTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const session = useQuery(sessionQuery)
  const rightsWords = useRightsWords()
  const notifyError = useNotifyError()
  const linking = useMutation({
    mutationFn: async ({ id, name }: Operator) => ({ name, link: await createSignInLink(id) }),
    onError: notifyError,
    onSuccess: onLink,
  })
  return (
    <StackedTable
      label={t('operators.title')}
      heads={[
        t('field.name'),
        t('operators.role'),
        t('operators.since'),
        t('operators.lastSignIn'),
        t('operators.secondFactor'),
        t('table.actions'),
      ]}
    >
      {operators.map((operator) => (
        <StackedRow key={operator.id}>
          <StackedCell head={t('field.name')}>
            <OperatorName operator={operator} isYou={operator.id === session.data?.operator.id} />
          </StackedCell>
          <StackedCell head={t('operators.role')}>
            <span style={{ overflowWrap: 'normal' }}>{rightsWords(operator)}</span>
          </StackedCell>
          <StackedCell head={t('operators.since')}>{format.date(operator.created_at)}</StackedCell>
          <StackedCell head={t('operators.lastSignIn')}>
            {operator.last_sign_in_at === null ? t('operators.neverSignedIn') : <Ago time={operator.last_sign_in_at} />}
          </StackedCell>
          <StackedCell head={t('operators.secondFactor')}>
            {operator.has_second_factor ? t('operators.withSecondFactor') : t('operators.withoutSecondFactor')}
          </StackedCell>
          <StackedCell>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                onClick={() => onRole(operator)}
                aria-label={t('operators.roleOf', { name: operator.name })}
              >
                {t('operators.roleChange')}
              </Button>
              {takesLinks(operator) && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => linking.mutate(operator)}
                  aria-label={t('operators.linkFor', { name: operator.name })}
                >
                  {t('operators.link')}
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                disabled={isLastOwner(operator, operators)}
                onClick={() => onDelete(operator)}
                aria-label={t('operators.deleteThis', { name: operator.name })}
              >
                {t('operators.delete')}
              </Button>
              {operator.suspended_at !== null && (
                <Text size="sm" c="dimmed" maw="22rem" style={{ overflowWrap: 'normal' }}>
                  {t('operators.suspendedHelp', { time: format.date(operator.suspended_at) })}
                </Text>
              )}
            </Group>
          </StackedCell>
        </StackedRow>
      ))}
    </StackedTable>
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
