-- Asks for the paths of a file in turn, each with a number behind it that no other request of the run has.
-- Arguments: the file of paths, the file of what follows the path in a request, the number of this load.

local paths = {}
local tail
local load
local count = 0

function init(args)
  for path in io.lines(args[1]) do paths[#paths + 1] = path end
  local file = io.open(args[2], "rb")
  tail = file:read("*a")
  file:close()
  load = args[3]
end

function request()
  count = count + 1
  return "GET " .. paths[(count - 1) % #paths + 1] .. load .. "-" .. count .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,' ..
      '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout
  ))
end
