# A command of serve.py. Exit status 1 if its process ended without one.
import array
import json
import os
import socket
import sys

request = {'words': sys.argv, 'folder': os.getcwd(), 'environment': dict(os.environ)}
server = socket.socket(socket.AF_UNIX)
server.connect(os.path.join(os.path.dirname(os.path.realpath(__file__)), 'socket'))
streams = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0, 1, 2]))
server.sendmsg([json.dumps(request).encode()], [streams])
server.shutdown(socket.SHUT_WR)
sys.exit((server.recv(1) or b'\1')[0])
