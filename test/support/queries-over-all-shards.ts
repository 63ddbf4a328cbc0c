/**
 * Queries that may go over all shards, by their beginning, in which `$` is any number of values. Each is a list, a
 * count or upkeep, and the machines work on it at the same time.
 */
export const QUERIES_OVER_ALL_SHARDS: readonly [beginning: string, reason: string][] = [
  ['select "tracks".*, "image_url", ', 'the list of an event, for apps and for operators, and tracks by their ids'],
  ['select "coarse_updated_at" from "tracks" where "event_id" = $', 'the same list, sorted by the latest change'],
  ['select count(*) as "count" from "tracks" where "event_id" = $', 'the length of that list, and the limit of tracks'],
  ['select "id" from "tracks" where "event_id" = $ and search_text like $ ', 'the few of that list with a text'],
  [
    'select "id" from "tracks" where "event_id" = $ and (search_text like $ ',
    'the same, or of runners with such a name',
  ],
  ['select "id", "title", "activity_type", "state", "start_ms", ', 'the tracks of an event, for its replay'],
  ['select "user_id", "id", "start_ms", "last_point_ms" from "tracks"', 'the participants of an event'],
  ['select "id", "updated_at" from "tracks" where "event_id" = $', 'once a second for all who watch an event'],
  ['select max("updated_at") as "last_ms" from "tracks" where "event_id" = $', 'at the start of watching'],
  ['select max("coarse_updated_at") as "last_ms" from "tracks" where "event_id" = $', 'the same'],
  ['select "id" from "tracks" where "event_id" = $ and "coarse_updated_at" ', 'at the start of watching'],
  ['select "id" from "tracks" where "event_id" = $ and "start_ms" ', 'the same, where spectators see all later'],
  ['select "id" from "tracks" where "event_id" = $ limit $', 'the deletion of an event, in steps'],
  [
    'select "id", "event_id", "user_id", "state", "last_point_ms" from "tracks" where "id" in ($)',
    'the tracks of one phone, one or two',
  ],
  ['select "event_id", "device_key", "track_id" from "phone_recordings" where "phase" = $', 'upkeep: silent phones'],
  ['select "event_id", count(*) as ', 'the list of events, with counts'],
  ['select "event_id", sum("point_count") as "points" from "tracks" where "event_id" in ($)', 'the limits of points'],
  ['select "id", "retention_days" from "events" ', 'upkeep: the events with a retention, hourly'],
  ['select "id" from "tracks" where "event_id" = $ and created_at <= $', 'upkeep: tracks that were kept long enough'],
  ['select count(*) as "tracks", count(*) filter(', 'upkeep: whether too many of them would go at once'],
  ['select "id" from "tracks" where "event_id" = $ and "user_id" = $', 'the erasure of a person, in steps'],
  ['select "id", "device_track_id", "point_count", ', 'the preview of such an erasure'],
  [
    'update "tracks" set "revision" = "revision" + $ where "event_id" = $',
    'another course, whose heights figures depend on',
  ],
  [
    'select "id", "user_id", "point_count", "activity_type", ',
    'upkeep: the finished tracks of an event, when their heights are compared',
  ],
  ['select * from "events" ', 'the list of events, for operators'],
  ['select "id" from "events" ', 'upkeep: the deletion of events'],
  ['select "id", "max_points" from "events" ', 'the events with limits, every five seconds'],
  ['select "id" from "tracks" where to_compact = 1 ', 'upkeep: the search for chunks to compact'],
  ['update "tracks" set "to_compact" = $ where to_compact = 1 ', 'upkeep'],
  ['select "id" from "tracks" where "id" > $', 'the look at all stored data, once a day and slowly'],
  ['select count(*) as "tracks" from "tracks"', 'the admin command storage stats'],
  ['select count(*) as "chunks", ', 'the admin command storage stats'],
  ['delete from "idempotency_keys" where "created_at" <= $', 'upkeep'],
  [
    'select "event_id" as "eventId", "delay_sec" as "delaySec", "beat" from "live_series"',
    'upkeep: frames nobody makes',
  ],
  ['delete from "deleted_tracks" where "deleted_at" <= $', 'upkeep'],
  ['delete from "followed_tracks" where not exists (select ', 'upkeep; tracks and their rows are on one machine'],
  ['delete from "day_readers" where "day" < $', 'upkeep'],
  ['with change as (select * from unnest(', 'a guarded insert on one machine; `spreadGuardedInsert` names its shard'],
]
