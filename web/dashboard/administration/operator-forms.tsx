import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rights } from '../access/rights.tsx'
import { hasStatus } from '../api/api-error.ts'
import { settingsQuery } from '../api/queries.ts'
import { Failure, FormAlert, useAction } from '../components/feedback.tsx'
import { NameInput, nameRule, SubmitForm } from '../components/forms.tsx'
import {
  getSessionQueryKey,
  listOperatorsQueryKey,
  operatorListEventsOptions,
  operatorListWorkspacesOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { createOperator, updateOperator } from '../generated/sdk.gen.ts'
import type { Operator, SignInLink } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

type OperatorCreateProps = { onCreated(name: string, link: SignInLink): void; onCancel(): void }

/** Adds an operator, who sets a password with the link that is shown next. */
export function OperatorCreate({ onCreated, onCancel }: OperatorCreateProps) {
  const { t } = useTranslation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: nameRule(t) },
  })
  const choices = useLimitChoices()
  const [draft, setDraft] = useState(NEW_OPERATOR)
  const creating = useAction({
    action: (name: string) => createOperator({ body: { name, ...rightsOf(draft, choices) } }),
    onSuccess: ({ name, sign_in_link: link }) => onCreated(name, link),
    changes: [{ queryKey: listOperatorsQueryKey() }],
  })
  return (
    <SubmitForm
      onSubmit={form.onSubmit(({ name }) => {
        if (isComplete(draft, choices)) creating.mutate(name.trim())
      })}
      submitting={creating}
      submitLabel={t('operators.createSubmit')}
      onCancel={onCancel}
      describe={(error) => hasStatus(error, 409) && <FormAlert>{t('operators.nameTaken')}</FormAlert>}
    >
      <Text size="sm">{t('operators.newHelp')}</Text>
      <NameInput form={form} maxLength={100} data-autofocus />
      <RoleFields draft={draft} onChange={setDraft} choices={choices} />
    </SubmitForm>
  )
}

/** Changes the role of an operator, and its events and workspaces. */
export function OperatorRole({ operator, onDone }: { operator: Operator; onDone(): void }) {
  const { t } = useTranslation()
  const choices = useLimitChoices()
  const [draft, setDraft] = useState(() => draftOf(operator))
  const changing = useAction({
    action: () => updateOperator({ path: { id: operator.id }, body: rightsOf(draft, choices) }),
    onSuccess: onDone,
    doneMessage: t('operators.roleChanged', { name: operator.name }),
    // One may have changed one's own.
    changes: [{ queryKey: listOperatorsQueryKey() }, { queryKey: getSessionQueryKey() }],
  })
  return (
    <SubmitForm
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete(draft, choices)) changing.mutate()
      }}
      submitting={changing}
      submitLabel={t('operators.roleSubmit')}
      onCancel={onDone}
      describe={(error) => hasStatus(error, 409) && <FormAlert>{t('operators.lastOwner')}</FormAlert>}
    >
      <RoleFields draft={draft} onChange={setDraft} choices={choices} />
    </SubmitForm>
  )
}

const ROLES = ['viewer', 'editor', 'owner'] as const

/** Entries of the list that are shown at once. Searching finds the others. */
const MAX_SHOWN = 100

/** The rights as they are being chosen. */
type RightsDraft = { role: Rights['role']; isLimited: boolean; ids: string[] }

const NEW_OPERATOR: RightsDraft = { role: 'viewer', isLimited: false, ids: [] }

type RoleFieldsProps = { draft: RightsDraft; onChange(draft: RightsDraft): void; choices: LimitChoices }

/** Chooses the role of an operator, and its events and workspaces. */
function RoleFields({ draft, onChange, choices }: RoleFieldsProps) {
  const { t } = useTranslation()
  const { role, isLimited, ids } = draft
  const { groups, error } = choices
  return (
    <>
      <Radio.Group
        label={t('operators.role')}
        value={role}
        onChange={(value) => onChange({ ...draft, role: value as Rights['role'] })}
      >
        <Stack gap="xs" mt={4}>
          {ROLES.map((one) => (
            <Radio key={one} value={one} label={t(`role.${one}`)} description={t(`role.${one}Help`)} />
          ))}
        </Stack>
      </Radio.Group>
      {role !== 'owner' && (
        <Radio.Group
          label={t('operators.reach')}
          value={isLimited ? 'some' : 'everything'}
          onChange={(value) => onChange({ ...draft, isLimited: value === 'some' })}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="everything" label={t('reach.everything')} description={t('reach.everythingHelp')} />
            <Radio value="some" label={t('reach.some')} description={t('reach.someHelp')} />
          </Stack>
        </Radio.Group>
      )}
      {role !== 'owner' && isLimited && groups !== undefined && (
        <MultiSelect
          label={t('reach.list')}
          description={ids.length === 0 ? t('reach.nothing') : undefined}
          data={groups}
          value={ids}
          onChange={(chosen) => onChange({ ...draft, ids: chosen })}
          searchable
          limit={MAX_SHOWN}
          nothingFoundMessage={t('reach.notFound')}
          hidePickedOptions
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {error !== null && error !== undefined && <Failure error={error} />}
    </>
  )
}

/** Tells whether the rights can be sent: the things to choose from are known where they matter. */
function isComplete({ role, isLimited }: RightsDraft, { groups }: LimitChoices): boolean {
  return role === 'owner' || !isLimited || groups !== undefined
}

/** Converts chosen rights into the body of a request. */
function rightsOf({ role, isLimited, ids }: RightsDraft, { limitsOf }: LimitChoices): Rights {
  return { role, limited_to: role === 'owner' || !isLimited ? null : limitsOf(ids) }
}

/** Begins with the rights that an operator has. */
function draftOf({ role, limited_to }: Rights): RightsDraft {
  return {
    role,
    isLimited: limited_to !== null,
    ids: limited_to === null ? [] : [...limited_to.events, ...limited_to.workspaces],
  }
}

type Named = { id: string; name: string; created_at: string }

/** The events and workspaces that an operator can be limited to. */
type LimitChoices = {
  /** The lists, each with its heading; undefined until both are known. */
  groups: { group: string; items: { value: string; label: string }[] }[] | undefined
  error: unknown
  /** Sorts chosen ids by what they are. Those that no longer exist are left out. */
  limitsOf(ids: readonly string[]): { events: string[]; workspaces: string[] }
}

/** Loads the events and workspaces of the services that run. */
function useLimitChoices(): LimitChoices {
  const { t } = useTranslation()
  const format = useFormat()
  const services = useQuery(settingsQuery).data?.services
  const runs = (service: string) => services?.includes(service) === true
  const events = useQuery({ ...operatorListEventsOptions(), select: ({ events }) => events, enabled: runs('tracks') })
  const workspaces = useQuery({
    ...operatorListWorkspacesOptions(),
    select: ({ workspaces }) => workspaces,
    enabled: runs('publications'),
  })
  const lists: [name: string, service: string, list: Named[] | undefined][] = [
    [t('nav.events'), 'tracks', events.data],
    [t('nav.workspaces'), 'publications', workspaces.data],
  ]
  const isKnown = services !== undefined && lists.every(([, service, list]) => !runs(service) || list !== undefined)
  const labelOf = ({ name, created_at }: Named, list: Named[]) =>
    list.some((other) => other.name === name && other.created_at !== created_at)
      ? `${name} (${format.date(created_at)})`
      : name
  const ofKind = (list: Named[] | undefined, ids: readonly string[]) =>
    (list ?? []).map(({ id }) => id).filter((id) => ids.includes(id))
  return {
    groups: isKnown
      ? lists.map(([group, , list = []]) => ({
          group,
          items: list.map((one) => ({ value: one.id, label: labelOf(one, list) })),
        }))
      : undefined,
    error: events.error ?? workspaces.error,
    limitsOf: (ids) => ({ events: ofKind(events.data, ids), workspaces: ofKind(workspaces.data, ids) }),
  }
}
