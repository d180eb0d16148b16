#!lua
-- Gives back units of a limit over all members, of goods that were returned. Safe to repeat.
--   KEYS[1]  use   KEYS[2]  settled
--   ARGV[1]  step: calculationId and returnId   ARGV[2]  usageKey
--   ARGV[3]  units                              ARGV[4]  retentionMs
-- Returns givenBack: the units given back now
--- @include "clock"
--- @include "holds"
--- @include "common"
--- @include "counters"
--- @include "give-back"

if not settle_once(KEYS[2], ARGV[1], now_ms(), tonumber(ARGV[4])) then
  return 0
end
return give_back(KEYS[1], ARGV[2], tonumber(ARGV[3]))
